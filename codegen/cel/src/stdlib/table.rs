//! The function table: `Variant = "id" style (arguments) -> result, cost since 1.NN`, by function. The first argument
//! of a member is its target. Without a version, all versions have the overload. `in patches` means that only
//! expressions that make patches have it.

use super::{Cost, Decl, Function, Spec, Style};

macro_rules! functions {
    ($($function:literal {
        $($name:ident = $id:literal $style:ident ($($arg:expr),*) -> $result:expr, $cost:ident $(since $since:literal)? $(in $of:ident)?;)*
    })*) => {
        /// An overload of a function.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u16)]
        #[allow(missing_docs)]
        pub enum Overload { $($($name,)*)* }

        /// All overloads, in the order of [`Overload`].
        pub(crate) static DECLS: &[Decl] = {
            #[allow(clippy::enum_glob_use)]
            use Spec::*;
            &[$($(Decl {
                overload: Overload::$name,
                function: $function,
                id: $id,
                style: style!($style),
                args: &[$($arg),*],
                result: $result,
                params: params(&[$($arg,)* $result]),
                cost: Cost::$cost,
                since: 0 $(+ $since)?,
                is_of_patches: false $(|| is_of!($of))?,
            },)*)*]
        };

        /// All functions, sorted by name.
        pub(crate) static FUNCTIONS: &[Function] = &[$(Function {
            name: $function,
            overloads: &[$(Overload::$name),*],
        },)*];
    };
}

macro_rules! is_of {
    (patches) => {
        true
    };
}

macro_rules! style {
    (global) => {
        Style::Global
    };
    (member) => {
        Style::Member
    };
}

const fn params(specs: &[Spec]) -> u32 {
    let mut most = 0;
    let mut i = 0;
    while i < specs.len() {
        if specs[i].params() > most {
            most = specs[i].params();
        }
        i += 1;
    }
    most
}

functions! {
    "!_" {
        LogicalNot = "logical_not" global (Bool) -> Bool, Unit;
    }
    "-_" {
        NegateDouble = "negate_double" global (Double) -> Double, Unit;
        NegateInt64 = "negate_int64" global (Int) -> Int, Unit;
    }
    "@in" {
        InList = "in_list" global (A, List(&A)) -> Bool, InList;
        InMap = "in_map" global (A, Map(&A, &B)) -> Bool, Unit;
    }
    "@not_strictly_false" {
        NotStrictlyFalse = "not_strictly_false" global (Bool) -> Bool, Unit;
    }
    "@sortByAssociatedKeys" {
        ListIntSortByAssociatedKeys = "list_int_sortByAssociatedKeys" member (List(&A), List(&Int)) -> List(&A), SortBy since 34;
        ListUintSortByAssociatedKeys = "list_uint_sortByAssociatedKeys" member (List(&A), List(&Uint)) -> List(&A), SortBy since 34;
        ListDoubleSortByAssociatedKeys = "list_double_sortByAssociatedKeys" member (List(&A), List(&Double)) -> List(&A), SortBy since 34;
        ListBoolSortByAssociatedKeys = "list_bool_sortByAssociatedKeys" member (List(&A), List(&Bool)) -> List(&A), SortBy since 34;
        ListDurationSortByAssociatedKeys = "list_google.protobuf.Duration_sortByAssociatedKeys" member (List(&A), List(&Duration)) -> List(&A), SortBy since 34;
        ListTimestampSortByAssociatedKeys = "list_google.protobuf.Timestamp_sortByAssociatedKeys" member (List(&A), List(&Timestamp)) -> List(&A), SortBy since 34;
        ListStringSortByAssociatedKeys = "list_string_sortByAssociatedKeys" member (List(&A), List(&String)) -> List(&A), SortByText since 34;
        ListBytesSortByAssociatedKeys = "list_bytes_sortByAssociatedKeys" member (List(&A), List(&Bytes)) -> List(&A), SortByText since 34;
    }
    "_!=_" {
        NotEquals = "not_equals" global (A, A) -> Bool, Compare;
    }
    "_%_" {
        ModuloInt64 = "modulo_int64" global (Int, Int) -> Int, Unit;
        ModuloUint64 = "modulo_uint64" global (Uint, Uint) -> Uint, Unit;
    }
    "_&&_" {
        LogicalAnd = "logical_and" global (Bool, Bool) -> Bool, Logic;
    }
    "_*_" {
        MultiplyDouble = "multiply_double" global (Double, Double) -> Double, Unit;
        MultiplyInt64 = "multiply_int64" global (Int, Int) -> Int, Unit;
        MultiplyUint64 = "multiply_uint64" global (Uint, Uint) -> Uint, Unit;
    }
    "_+_" {
        AddBytes = "add_bytes" global (Bytes, Bytes) -> Bytes, Concat;
        AddDouble = "add_double" global (Double, Double) -> Double, Unit;
        AddDurationDuration = "add_duration_duration" global (Duration, Duration) -> Duration, Unit;
        AddDurationTimestamp = "add_duration_timestamp" global (Duration, Timestamp) -> Timestamp, Unit;
        AddTimestampDuration = "add_timestamp_duration" global (Timestamp, Duration) -> Timestamp, Unit;
        AddInt64 = "add_int64" global (Int, Int) -> Int, Unit;
        AddList = "add_list" global (List(&A), List(&A)) -> List(&A), ConcatList;
        AddString = "add_string" global (String, String) -> String, Concat;
        AddUint64 = "add_uint64" global (Uint, Uint) -> Uint, Unit;
    }
    "_-_" {
        SubtractDouble = "subtract_double" global (Double, Double) -> Double, Unit;
        SubtractDurationDuration = "subtract_duration_duration" global (Duration, Duration) -> Duration, Unit;
        SubtractInt64 = "subtract_int64" global (Int, Int) -> Int, Unit;
        SubtractTimestampDuration = "subtract_timestamp_duration" global (Timestamp, Duration) -> Timestamp, Unit;
        SubtractTimestampTimestamp = "subtract_timestamp_timestamp" global (Timestamp, Timestamp) -> Duration, Unit;
        SubtractUint64 = "subtract_uint64" global (Uint, Uint) -> Uint, Unit;
    }
    "_/_" {
        DivideDouble = "divide_double" global (Double, Double) -> Double, Unit;
        DivideInt64 = "divide_int64" global (Int, Int) -> Int, Unit;
        DivideUint64 = "divide_uint64" global (Uint, Uint) -> Uint, Unit;
    }
    "_<=_" {
        LessEqualsBool = "less_equals_bool" global (Bool, Bool) -> Bool, Unit;
        LessEqualsInt64 = "less_equals_int64" global (Int, Int) -> Bool, Unit;
        LessEqualsInt64Double = "less_equals_int64_double" global (Int, Double) -> Bool, Unit;
        LessEqualsInt64Uint64 = "less_equals_int64_uint64" global (Int, Uint) -> Bool, Unit;
        LessEqualsUint64 = "less_equals_uint64" global (Uint, Uint) -> Bool, Unit;
        LessEqualsUint64Double = "less_equals_uint64_double" global (Uint, Double) -> Bool, Unit;
        LessEqualsUint64Int64 = "less_equals_uint64_int64" global (Uint, Int) -> Bool, Unit;
        LessEqualsDouble = "less_equals_double" global (Double, Double) -> Bool, Unit;
        LessEqualsDoubleInt64 = "less_equals_double_int64" global (Double, Int) -> Bool, Unit;
        LessEqualsDoubleUint64 = "less_equals_double_uint64" global (Double, Uint) -> Bool, Unit;
        LessEqualsString = "less_equals_string" global (String, String) -> Bool, Compare;
        LessEqualsBytes = "less_equals_bytes" global (Bytes, Bytes) -> Bool, Compare;
        LessEqualsTimestamp = "less_equals_timestamp" global (Timestamp, Timestamp) -> Bool, Unit;
        LessEqualsDuration = "less_equals_duration" global (Duration, Duration) -> Bool, Unit;
    }
    "_<_" {
        LessBool = "less_bool" global (Bool, Bool) -> Bool, Unit;
        LessInt64 = "less_int64" global (Int, Int) -> Bool, Unit;
        LessInt64Double = "less_int64_double" global (Int, Double) -> Bool, Unit;
        LessInt64Uint64 = "less_int64_uint64" global (Int, Uint) -> Bool, Unit;
        LessUint64 = "less_uint64" global (Uint, Uint) -> Bool, Unit;
        LessUint64Double = "less_uint64_double" global (Uint, Double) -> Bool, Unit;
        LessUint64Int64 = "less_uint64_int64" global (Uint, Int) -> Bool, Unit;
        LessDouble = "less_double" global (Double, Double) -> Bool, Unit;
        LessDoubleInt64 = "less_double_int64" global (Double, Int) -> Bool, Unit;
        LessDoubleUint64 = "less_double_uint64" global (Double, Uint) -> Bool, Unit;
        LessString = "less_string" global (String, String) -> Bool, Compare;
        LessBytes = "less_bytes" global (Bytes, Bytes) -> Bool, Compare;
        LessTimestamp = "less_timestamp" global (Timestamp, Timestamp) -> Bool, Unit;
        LessDuration = "less_duration" global (Duration, Duration) -> Bool, Unit;
    }
    "_==_" {
        Equals = "equals" global (A, A) -> Bool, Equals;
    }
    "_>=_" {
        GreaterEqualsBool = "greater_equals_bool" global (Bool, Bool) -> Bool, Unit;
        GreaterEqualsInt64 = "greater_equals_int64" global (Int, Int) -> Bool, Unit;
        GreaterEqualsInt64Double = "greater_equals_int64_double" global (Int, Double) -> Bool, Unit;
        GreaterEqualsInt64Uint64 = "greater_equals_int64_uint64" global (Int, Uint) -> Bool, Unit;
        GreaterEqualsUint64 = "greater_equals_uint64" global (Uint, Uint) -> Bool, Unit;
        GreaterEqualsUint64Double = "greater_equals_uint64_double" global (Uint, Double) -> Bool, Unit;
        GreaterEqualsUint64Int64 = "greater_equals_uint64_int64" global (Uint, Int) -> Bool, Unit;
        GreaterEqualsDouble = "greater_equals_double" global (Double, Double) -> Bool, Unit;
        GreaterEqualsDoubleInt64 = "greater_equals_double_int64" global (Double, Int) -> Bool, Unit;
        GreaterEqualsDoubleUint64 = "greater_equals_double_uint64" global (Double, Uint) -> Bool, Unit;
        GreaterEqualsString = "greater_equals_string" global (String, String) -> Bool, Compare;
        GreaterEqualsBytes = "greater_equals_bytes" global (Bytes, Bytes) -> Bool, Compare;
        GreaterEqualsTimestamp = "greater_equals_timestamp" global (Timestamp, Timestamp) -> Bool, Unit;
        GreaterEqualsDuration = "greater_equals_duration" global (Duration, Duration) -> Bool, Unit;
    }
    "_>_" {
        GreaterBool = "greater_bool" global (Bool, Bool) -> Bool, Unit;
        GreaterInt64 = "greater_int64" global (Int, Int) -> Bool, Unit;
        GreaterInt64Double = "greater_int64_double" global (Int, Double) -> Bool, Unit;
        GreaterInt64Uint64 = "greater_int64_uint64" global (Int, Uint) -> Bool, Unit;
        GreaterUint64 = "greater_uint64" global (Uint, Uint) -> Bool, Unit;
        GreaterUint64Double = "greater_uint64_double" global (Uint, Double) -> Bool, Unit;
        GreaterUint64Int64 = "greater_uint64_int64" global (Uint, Int) -> Bool, Unit;
        GreaterDouble = "greater_double" global (Double, Double) -> Bool, Unit;
        GreaterDoubleInt64 = "greater_double_int64" global (Double, Int) -> Bool, Unit;
        GreaterDoubleUint64 = "greater_double_uint64" global (Double, Uint) -> Bool, Unit;
        GreaterString = "greater_string" global (String, String) -> Bool, Compare;
        GreaterBytes = "greater_bytes" global (Bytes, Bytes) -> Bool, Compare;
        GreaterTimestamp = "greater_timestamp" global (Timestamp, Timestamp) -> Bool, Unit;
        GreaterDuration = "greater_duration" global (Duration, Duration) -> Bool, Unit;
    }
    "_?._" {
        SelectOptionalField = "select_optional_field" global (Dyn, String) -> Optional(&A), Unit since 28;
    }
    "_?_:_" {
        Conditional = "conditional" global (Bool, A, A) -> A, Conditional;
    }
    "_[?_]" {
        ListOptindexOptionalInt = "list_optindex_optional_int" global (List(&A), Int) -> Optional(&A), Unit since 28;
        OptionalListOptindexOptionalInt = "optional_list_optindex_optional_int" global (Optional(&List(&A)), Int) -> Optional(&A), Unit since 28;
        MapOptindexOptionalValue = "map_optindex_optional_value" global (Map(&A, &B), A) -> Optional(&B), Unit since 28;
        OptionalMapOptindexOptionalValue = "optional_map_optindex_optional_value" global (Optional(&Map(&A, &B)), A) -> Optional(&B), Unit since 28;
    }
    "_[_]" {
        IndexList = "index_list" global (List(&A), Int) -> A, Index;
        IndexMap = "index_map" global (Map(&A, &B), A) -> B, Index;
        OptionalListIndexInt = "optional_list_index_int" global (Optional(&List(&A)), Int) -> Optional(&A), Unit since 28;
        OptionalMapIndexValue = "optional_map_index_value" global (Optional(&Map(&A, &B)), A) -> Optional(&B), Unit since 28;
    }
    "_||_" {
        LogicalOr = "logical_or" global (Bool, Bool) -> Bool, Logic;
    }
    "add" {
        QuantityAdd = "quantity_add" member (Quantity, Quantity) -> Quantity, Unit since 28;
        QuantityAddInt = "quantity_add_int" member (Quantity, Int) -> Quantity, Unit since 28;
    }
    "allowed" {
        DecisionAllowed = "decision_allowed" member (Decision) -> Bool, Unit since 27;
    }
    "asApproximateFloat" {
        QuantityGetFloat = "quantity_get_float" member (Quantity) -> Double, Unit since 28;
    }
    "asInteger" {
        QuantityGetInt = "quantity_get_int" member (Quantity) -> Int, Unit since 28;
    }
    "bool" {
        BoolToBool = "bool_to_bool" global (Bool) -> Bool, Unit;
        StringToBool = "string_to_bool" global (String) -> Bool, Unit;
    }
    "bytes" {
        BytesToBytes = "bytes_to_bytes" global (Bytes) -> Bytes, Unit;
        StringToBytes = "string_to_bytes" global (String) -> Bytes, StringToBytes;
    }
    "cel.@mapInsert" {
        MapInsertMapKeyValue = "@mapInsert_map_key_value" global (Map(&A, &B), A, B) -> Map(&A, &B), Unit since 32;
        MapInsertMapMap = "@mapInsert_map_map" global (Map(&A, &B), Map(&A, &B)) -> Map(&A, &B), Unit since 32;
    }
    "charAt" {
        StringCharAtInt = "string_char_at_int" member (String, Int) -> String, Unit;
    }
    "check" {
        PathcheckCheck = "pathcheck_check" member (PathCheck, String) -> Decision, Check since 27;
        ResourcecheckCheck = "resourcecheck_check" member (ResourceCheck, String) -> Decision, Check since 27;
    }
    "cidr" {
        StringToCidr = "string_to_cidr" global (String) -> Cidr, ParseArg since 30;
    }
    "compareTo" {
        QuantityCompareTo = "quantity_compare_to" member (Quantity, Quantity) -> Int, Unit since 28;
        SemverCompareTo = "semver_compare_to" member (Semver, Semver) -> Int, Unit since 33;
    }
    "contains" {
        ContainsString = "contains_string" member (String, String) -> Bool, Contains;
    }
    "containsCIDR" {
        CidrContainsCidrString = "cidr_contains_cidr_string" member (Cidr, String) -> Bool, ContainsCidrString since 30;
        CidrContainsCidr = "cidr_contains_cidr" member (Cidr, Cidr) -> Bool, ContainsCidr since 30;
    }
    "containsIP" {
        CidrContainsIpString = "cidr_contains_ip_string" member (Cidr, String) -> Bool, ContainsIpString since 30;
        CidrContainsIpIp = "cidr_contains_ip_ip" member (Cidr, Ip) -> Bool, ContainsIp since 30;
    }
    "distinct" {
        ListDistinct = "list_distinct" member (List(&A)) -> List(&A), Distinct since 34;
    }
    "double" {
        DoubleToDouble = "double_to_double" global (Double) -> Double, Unit;
        Int64ToDouble = "int64_to_double" global (Int) -> Double, Unit;
        StringToDouble = "string_to_double" global (String) -> Double, Unit;
        Uint64ToDouble = "uint64_to_double" global (Uint) -> Double, Unit;
    }
    "duration" {
        DurationToDuration = "duration_to_duration" global (Duration) -> Duration, Unit;
        StringToDuration = "string_to_duration" global (String) -> Duration, Unit;
    }
    "dyn" {
        ToDyn = "to_dyn" global (A) -> Dyn, Unit;
    }
    "endsWith" {
        EndsWithString = "ends_with_string" member (String, String) -> Bool, ScanAffix;
    }
    "error" {
        DecisionError = "decision_error" member (Decision) -> String, Unit since 27;
    }
    "errored" {
        DecisionErrored = "decision_errored" member (Decision) -> Bool, Unit since 27;
    }
    "family" {
        IpFamily = "ip_family" member (Ip) -> Int, Unit since 30;
    }
    "fieldSelector" {
        AuthorizerFieldselector = "authorizer_fieldselector" member (ResourceCheck, String) -> ResourceCheck, Selector since 31;
    }
    "find" {
        StringFindString = "string_find_string" member (String, String) -> String, Find;
    }
    "findAll" {
        StringFindAllString = "string_find_all_string" member (String, String) -> List(&String), Find;
        StringFindAllStringInt = "string_find_all_string_int" member (String, String, Int) -> List(&String), Find;
    }
    "first" {
        ListFirst = "list_first" member (List(&A)) -> Optional(&A), Unit since 28;
    }
    "flatten" {
        ListFlatten = "list_flatten" member (List(&List(&A))) -> List(&A), Flatten since 34;
        ListFlattenInt = "list_flatten_int" member (List(&Dyn), Int) -> List(&Dyn), Flatten since 34;
    }
    "format" {
        StringFormat = "string_format" member (String, List(&Dyn)) -> String, Format since 29;
    }
    "format.byte" {
        FormatByte = "format.byte" global () -> Format, Unit since 31;
    }
    "format.date" {
        FormatDate = "format.date" global () -> Format, Unit since 31;
    }
    "format.datetime" {
        FormatDatetime = "format.datetime" global () -> Format, Unit since 31;
    }
    "format.dns1035Label" {
        FormatDns1035Label = "format.dns1035Label" global () -> Format, Unit since 31;
    }
    "format.dns1035LabelPrefix" {
        FormatDns1035LabelPrefix = "format.dns1035LabelPrefix" global () -> Format, Unit since 31;
    }
    "format.dns1123Label" {
        FormatDns1123Label = "format.dns1123Label" global () -> Format, Unit since 31;
    }
    "format.dns1123LabelPrefix" {
        FormatDns1123LabelPrefix = "format.dns1123LabelPrefix" global () -> Format, Unit since 31;
    }
    "format.dns1123Subdomain" {
        FormatDns1123Subdomain = "format.dns1123Subdomain" global () -> Format, Unit since 31;
    }
    "format.dns1123SubdomainPrefix" {
        FormatDns1123SubdomainPrefix = "format.dns1123SubdomainPrefix" global () -> Format, Unit since 31;
    }
    "format.labelValue" {
        FormatLabelValue = "format.labelValue" global () -> Format, Unit since 31;
    }
    "format.named" {
        FormatNamed = "format-named" global (String) -> Optional(&Format), Unit since 31;
    }
    "format.qualifiedName" {
        FormatQualifiedName = "format.qualifiedName" global () -> Format, Unit since 31;
    }
    "format.uri" {
        FormatUri = "format.uri" global () -> Format, Unit since 31;
    }
    "format.uuid" {
        FormatUuid = "format.uuid" global () -> Format, Unit since 31;
    }
    "getDate" {
        TimestampToDayOfMonth1Based = "timestamp_to_day_of_month_1_based" member (Timestamp) -> Int, Unit;
        TimestampToDayOfMonth1BasedWithTz = "timestamp_to_day_of_month_1_based_with_tz" member (Timestamp, String) -> Int, Unit;
    }
    "getDayOfMonth" {
        TimestampToDayOfMonth = "timestamp_to_day_of_month" member (Timestamp) -> Int, Unit;
        TimestampToDayOfMonthWithTz = "timestamp_to_day_of_month_with_tz" member (Timestamp, String) -> Int, Unit;
    }
    "getDayOfWeek" {
        TimestampToDayOfWeek = "timestamp_to_day_of_week" member (Timestamp) -> Int, Unit;
        TimestampToDayOfWeekWithTz = "timestamp_to_day_of_week_with_tz" member (Timestamp, String) -> Int, Unit;
    }
    "getDayOfYear" {
        TimestampToDayOfYear = "timestamp_to_day_of_year" member (Timestamp) -> Int, Unit;
        TimestampToDayOfYearWithTz = "timestamp_to_day_of_year_with_tz" member (Timestamp, String) -> Int, Unit;
    }
    "getEscapedPath" {
        UrlGetEscapedPath = "url_get_escaped_path" member (Url) -> String, Unit;
    }
    "getFullYear" {
        TimestampToYear = "timestamp_to_year" member (Timestamp) -> Int, Unit;
        TimestampToYearWithTz = "timestamp_to_year_with_tz" member (Timestamp, String) -> Int, Unit;
    }
    "getHost" {
        UrlGetHost = "url_get_host" member (Url) -> String, Unit;
    }
    "getHostname" {
        UrlGetHostname = "url_get_hostname" member (Url) -> String, Unit;
    }
    "getHours" {
        TimestampToHours = "timestamp_to_hours" member (Timestamp) -> Int, Unit;
        TimestampToHoursWithTz = "timestamp_to_hours_with_tz" member (Timestamp, String) -> Int, Unit;
        DurationToHours = "duration_to_hours" member (Duration) -> Int, Unit;
    }
    "getMilliseconds" {
        TimestampToMilliseconds = "timestamp_to_milliseconds" member (Timestamp) -> Int, Unit;
        TimestampToMillisecondsWithTz = "timestamp_to_milliseconds_with_tz" member (Timestamp, String) -> Int, Unit;
        DurationToMilliseconds = "duration_to_milliseconds" member (Duration) -> Int, Unit;
    }
    "getMinutes" {
        TimestampToMinutes = "timestamp_to_minutes" member (Timestamp) -> Int, Unit;
        TimestampToMinutesWithTz = "timestamp_to_minutes_with_tz" member (Timestamp, String) -> Int, Unit;
        DurationToMinutes = "duration_to_minutes" member (Duration) -> Int, Unit;
    }
    "getMonth" {
        TimestampToMonth = "timestamp_to_month" member (Timestamp) -> Int, Unit;
        TimestampToMonthWithTz = "timestamp_to_month_with_tz" member (Timestamp, String) -> Int, Unit;
    }
    "getPort" {
        UrlGetPort = "url_get_port" member (Url) -> String, Unit;
    }
    "getQuery" {
        UrlGetQuery = "url_get_query" member (Url) -> Map(&String, &List(&String)), Unit;
    }
    "getScheme" {
        UrlGetScheme = "url_get_scheme" member (Url) -> String, Unit;
    }
    "getSeconds" {
        TimestampToSeconds = "timestamp_to_seconds" member (Timestamp) -> Int, Unit;
        TimestampToSecondsTz = "timestamp_to_seconds_tz" member (Timestamp, String) -> Int, Unit;
        DurationToSeconds = "duration_to_seconds" member (Duration) -> Int, Unit;
    }
    "group" {
        AuthorizerGroup = "authorizer_group" member (Authorizer, String) -> GroupCheck, Unit since 27;
    }
    "hasValue" {
        OptionalHasValue = "optional_hasValue" member (Optional(&A)) -> Bool, Unit since 28;
    }
    "includes" {
        ListIncludesDynDyn = "list_includes_dyn_dyn" member (Dyn, Dyn) -> Bool, TraverseTarget since 37;
    }
    "indexOf" {
        StringIndexOfString = "string_index_of_string" member (String, String) -> Int, TraverseTarget;
        StringIndexOfStringInt = "string_index_of_string_int" member (String, String, Int) -> Int, TraverseTarget;
        ListAIndexOfInt = "list_a_index_of_int" member (List(&A), A) -> Int, TraverseTarget;
    }
    "int" {
        Int64ToInt64 = "int64_to_int64" global (Int) -> Int, Unit;
        DoubleToInt64 = "double_to_int64" global (Double) -> Int, Unit;
        DurationToInt64 = "duration_to_int64" global (Duration) -> Int, Unit;
        StringToInt64 = "string_to_int64" global (String) -> Int, Unit;
        TimestampToInt64 = "timestamp_to_int64" global (Timestamp) -> Int, Unit;
        Uint64ToInt64 = "uint64_to_int64" global (Uint) -> Int, Unit;
    }
    "ip" {
        StringToIp = "string_to_ip" global (String) -> Ip, ParseArg since 30;
        CidrIp = "cidr_ip" member (Cidr) -> Ip, Unit since 30;
    }
    "ip.isCanonical" {
        IpIsCanonical = "ip_is_canonical" global (String) -> Bool, ParseArgTwice since 30;
    }
    "isCIDR" {
        IsCidr = "is_cidr" global (String) -> Bool, ParseArg since 30;
    }
    "isGlobalUnicast" {
        IpIsGlobalUnicast = "ip_is_global_unicast" member (Ip) -> Bool, Unit since 30;
    }
    "isGreaterThan" {
        QuantityIsGreaterThan = "quantity_is_greater_than" member (Quantity, Quantity) -> Bool, Unit since 28;
        SemverIsGreaterThan = "semver_is_greater_than" member (Semver, Semver) -> Bool, Unit since 33;
    }
    "isIP" {
        IsIp = "is_ip" global (String) -> Bool, ParseArg since 30;
    }
    "isInteger" {
        QuantityIsInteger = "quantity_is_integer" member (Quantity) -> Bool, Unit since 28;
    }
    "isLessThan" {
        QuantityIsLessThan = "quantity_is_less_than" member (Quantity, Quantity) -> Bool, Unit since 28;
        SemverIsLessThan = "semver_is_less_than" member (Semver, Semver) -> Bool, Unit since 33;
    }
    "isLinkLocalMulticast" {
        IpIsLinkLocalMulticast = "ip_is_link_local_multicast" member (Ip) -> Bool, Unit since 30;
    }
    "isLinkLocalUnicast" {
        IpIsLinkLocalUnicast = "ip_is_link_local_unicast" member (Ip) -> Bool, Unit since 30;
    }
    "isLoopback" {
        IpIsLoopback = "ip_is_loopback" member (Ip) -> Bool, Unit since 30;
    }
    "isQuantity" {
        IsQuantityString = "is_quantity_string" global (String) -> Bool, ParseArg since 28;
    }
    "isSemver" {
        IsSemverString = "is_semver_string" global (String) -> Bool, ParseArg since 33;
        IsSemverStringBool = "is_semver_string_bool" global (String, Bool) -> Bool, ParseArg since 33;
    }
    "isSorted" {
        ListIntIsSortedBool = "list_int_is_sorted_bool" member (List(&Int)) -> Bool, TraverseTarget;
        ListUintIsSortedBool = "list_uint_is_sorted_bool" member (List(&Uint)) -> Bool, TraverseTarget;
        ListDoubleIsSortedBool = "list_double_is_sorted_bool" member (List(&Double)) -> Bool, TraverseTarget;
        ListBoolIsSortedBool = "list_bool_is_sorted_bool" member (List(&Bool)) -> Bool, TraverseTarget;
        ListDurationIsSortedBool = "list_duration_is_sorted_bool" member (List(&Duration)) -> Bool, TraverseTarget;
        ListTimestampIsSortedBool = "list_timestamp_is_sorted_bool" member (List(&Timestamp)) -> Bool, TraverseTarget;
        ListStringIsSortedBool = "list_string_is_sorted_bool" member (List(&String)) -> Bool, TraverseTarget;
        ListBytesIsSortedBool = "list_bytes_is_sorted_bool" member (List(&Bytes)) -> Bool, TraverseTarget;
    }
    "isURL" {
        IsUrlString = "is_url_string" global (String) -> Bool, Unit;
    }
    "isUnspecified" {
        IpIsUnspecified = "ip_is_unspecified" member (Ip) -> Bool, Unit since 30;
    }
    "join" {
        ListJoin = "list_join" member (List(&String)) -> String, Join;
        ListJoinString = "list_join_string" member (List(&String), String) -> String, Join;
    }
    "jsonpatch.escapeKey" {
        JsonPatchEscapeKey = "string_jsonpatch_escapeKey_string" global (String) -> String, ScanArg in patches;
    }
    "labelSelector" {
        AuthorizerLabelselector = "authorizer_labelselector" member (ResourceCheck, String) -> ResourceCheck, Selector since 31;
    }
    "last" {
        ListLast = "list_last" member (List(&A)) -> Optional(&A), Unit since 28;
    }
    "lastIndexOf" {
        StringLastIndexOfString = "string_last_index_of_string" member (String, String) -> Int, TraverseTarget;
        StringLastIndexOfStringInt = "string_last_index_of_string_int" member (String, String, Int) -> Int, TraverseTarget;
        ListALastIndexOfInt = "list_a_last_index_of_int" member (List(&A), A) -> Int, TraverseTarget;
    }
    "lists.range" {
        ListsRange = "lists_range" global (Int) -> List(&Int), Range since 34;
    }
    "lowerAscii" {
        StringLowerAscii = "string_lower_ascii" member (String) -> String, ScanTarget;
    }
    "major" {
        SemverMajor = "semver_major" member (Semver) -> Int, Unit since 33;
    }
    "masked" {
        CidrMasked = "cidr_masked" member (Cidr) -> Cidr, Unit since 30;
    }
    "matches" {
        Matches = "matches" global (String, String) -> Bool, Matches;
        MatchesString = "matches_string" member (String, String) -> Bool, Matches;
    }
    "max" {
        ListIntMaxInt = "list_int_max_int" member (List(&Int)) -> Int, TraverseTarget;
        ListUintMaxUint = "list_uint_max_uint" member (List(&Uint)) -> Uint, TraverseTarget;
        ListDoubleMaxDouble = "list_double_max_double" member (List(&Double)) -> Double, TraverseTarget;
        ListBoolMaxBool = "list_bool_max_bool" member (List(&Bool)) -> Bool, TraverseTarget;
        ListDurationMaxDuration = "list_duration_max_duration" member (List(&Duration)) -> Duration, TraverseTarget;
        ListTimestampMaxTimestamp = "list_timestamp_max_timestamp" member (List(&Timestamp)) -> Timestamp, TraverseTarget;
        ListStringMaxString = "list_string_max_string" member (List(&String)) -> String, TraverseTarget;
        ListBytesMaxBytes = "list_bytes_max_bytes" member (List(&Bytes)) -> Bytes, TraverseTarget;
    }
    "min" {
        ListIntMinInt = "list_int_min_int" member (List(&Int)) -> Int, TraverseTarget;
        ListUintMinUint = "list_uint_min_uint" member (List(&Uint)) -> Uint, TraverseTarget;
        ListDoubleMinDouble = "list_double_min_double" member (List(&Double)) -> Double, TraverseTarget;
        ListBoolMinBool = "list_bool_min_bool" member (List(&Bool)) -> Bool, TraverseTarget;
        ListDurationMinDuration = "list_duration_min_duration" member (List(&Duration)) -> Duration, TraverseTarget;
        ListTimestampMinTimestamp = "list_timestamp_min_timestamp" member (List(&Timestamp)) -> Timestamp, TraverseTarget;
        ListStringMinString = "list_string_min_string" member (List(&String)) -> String, TraverseTarget;
        ListBytesMinBytes = "list_bytes_min_bytes" member (List(&Bytes)) -> Bytes, TraverseTarget;
    }
    "minor" {
        SemverMinor = "semver_minor" member (Semver) -> Int, Unit since 33;
    }
    "name" {
        ResourcecheckName = "resourcecheck_name" member (ResourceCheck, String) -> ResourceCheck, Unit since 27;
    }
    "namespace" {
        ResourcecheckNamespace = "resourcecheck_namespace" member (ResourceCheck, String) -> ResourceCheck, Unit since 27;
    }
    "optional.none" {
        OptionalNone = "optional_none" global () -> Optional(&A), Unit since 28;
    }
    "optional.of" {
        OptionalOf = "optional_of" global (A) -> Optional(&A), Unit since 28;
    }
    "optional.ofNonZeroValue" {
        OptionalOfNonZeroValue = "optional_ofNonZeroValue" global (A) -> Optional(&A), Unit since 28;
    }
    "optional.unwrap" {
        OptionalUnwrap = "optional_unwrap" global (List(&Optional(&A))) -> List(&A), Unit since 28;
    }
    "or" {
        OptionalOrOptional = "optional_or_optional" member (Optional(&A), Optional(&A)) -> Optional(&A), Unit since 28;
    }
    "orValue" {
        OptionalOrValueValue = "optional_orValue_value" member (Optional(&A), A) -> A, Unit since 28;
    }
    "patch" {
        SemverPatch = "semver_patch" member (Semver) -> Int, Unit since 33;
    }
    "path" {
        AuthorizerPath = "authorizer_path" member (Authorizer, String) -> PathCheck, Unit since 27;
    }
    "prefixLength" {
        CidrPrefixLength = "cidr_prefix_length" member (Cidr) -> Int, Unit since 30;
    }
    "quantity" {
        StringToQuantity = "string_to_quantity" global (String) -> Quantity, ParseArg since 28;
    }
    "reason" {
        DecisionReason = "decision_reason" member (Decision) -> String, Unit since 27;
    }
    "replace" {
        StringReplaceStringString = "string_replace_string_string" member (String, String, String) -> String, Replace;
        StringReplaceStringStringInt = "string_replace_string_string_int" member (String, String, String, Int) -> String, Replace;
    }
    "resource" {
        GroupcheckResource = "groupcheck_resource" member (GroupCheck, String) -> ResourceCheck, Unit since 27;
    }
    "reverse" {
        ListReverse = "list_reverse" member (List(&A)) -> List(&A), Reverse since 34;
    }
    "semver" {
        StringToSemver = "string_to_semver" global (String) -> Semver, ParseArg since 33;
        StringBoolToSemver = "string_bool_to_semver" global (String, Bool) -> Semver, ParseArg since 33;
    }
    "serviceAccount" {
        AuthorizerServiceaccount = "authorizer_serviceaccount" member (Authorizer, String, String) -> Authorizer, Unit since 27;
    }
    "sets.contains" {
        ListSetsContainsList = "list_sets_contains_list" global (List(&A), List(&A)) -> Bool, Sets since 29;
    }
    "sets.equivalent" {
        ListSetsEquivalentList = "list_sets_equivalent_list" global (List(&A), List(&A)) -> Bool, SetsTwice since 29;
    }
    "sets.intersects" {
        ListSetsIntersectsList = "list_sets_intersects_list" global (List(&A), List(&A)) -> Bool, Sets since 29;
    }
    "sign" {
        QuantitySign = "quantity_sign" global (Quantity) -> Int, Unit since 28;
    }
    "size" {
        SizeBytes = "size_bytes" global (Bytes) -> Int, Unit;
        BytesSize = "bytes_size" member (Bytes) -> Int, Unit;
        SizeList = "size_list" global (List(&A)) -> Int, Unit;
        ListSize = "list_size" member (List(&A)) -> Int, Unit;
        SizeMap = "size_map" global (Map(&A, &B)) -> Int, Unit;
        MapSize = "map_size" member (Map(&A, &B)) -> Int, Unit;
        SizeString = "size_string" global (String) -> Int, Unit;
        StringSize = "string_size" member (String) -> Int, Unit;
    }
    "slice" {
        ListSlice = "list_slice" member (List(&A), Int, Int) -> List(&A), Slice since 34;
    }
    "sort" {
        ListIntSort = "list_int_sort" member (List(&Int)) -> List(&Int), Sort since 34;
        ListUintSort = "list_uint_sort" member (List(&Uint)) -> List(&Uint), Sort since 34;
        ListDoubleSort = "list_double_sort" member (List(&Double)) -> List(&Double), Sort since 34;
        ListBoolSort = "list_bool_sort" member (List(&Bool)) -> List(&Bool), Sort since 34;
        ListDurationSort = "list_google.protobuf.Duration_sort" member (List(&Duration)) -> List(&Duration), Sort since 34;
        ListTimestampSort = "list_google.protobuf.Timestamp_sort" member (List(&Timestamp)) -> List(&Timestamp), Sort since 34;
        ListStringSort = "list_string_sort" member (List(&String)) -> List(&String), SortText since 34;
        ListBytesSort = "list_bytes_sort" member (List(&Bytes)) -> List(&Bytes), SortText since 34;
    }
    "split" {
        StringSplitString = "string_split_string" member (String, String) -> List(&String), Split;
        StringSplitStringInt = "string_split_string_int" member (String, String, Int) -> List(&String), Split;
    }
    "startsWith" {
        StartsWithString = "starts_with_string" member (String, String) -> Bool, ScanAffix;
    }
    "string" {
        StringToString = "string_to_string" global (String) -> String, Unit;
        BoolToString = "bool_to_string" global (Bool) -> String, Unit;
        BytesToString = "bytes_to_string" global (Bytes) -> String, BytesToString;
        DoubleToString = "double_to_string" global (Double) -> String, Unit;
        DurationToString = "duration_to_string" global (Duration) -> String, Unit;
        Int64ToString = "int64_to_string" global (Int) -> String, Unit;
        TimestampToString = "timestamp_to_string" global (Timestamp) -> String, Unit;
        Uint64ToString = "uint64_to_string" global (Uint) -> String, Unit;
        IpToString = "ip_to_string" global (Ip) -> String, Unit since 30;
        CidrToString = "cidr_to_string" global (Cidr) -> String, Unit since 30;
    }
    "strings.quote" {
        StringsQuote = "strings_quote" global (String) -> String, Quote since 29;
    }
    "sub" {
        QuantitySub = "quantity_sub" member (Quantity, Quantity) -> Quantity, Unit since 28;
        QuantitySubInt = "quantity_sub_int" member (Quantity, Int) -> Quantity, Unit since 28;
    }
    "subresource" {
        ResourcecheckSubresource = "resourcecheck_subresource" member (ResourceCheck, String) -> ResourceCheck, Unit since 27;
    }
    "substring" {
        StringSubstringInt = "string_substring_int" member (String, Int) -> String, ScanTarget;
        StringSubstringIntInt = "string_substring_int_int" member (String, Int, Int) -> String, ScanTarget;
    }
    "sum" {
        ListIntSumInt = "list_int_sum_int" member (List(&Int)) -> Int, TraverseTarget;
        ListUintSumUint = "list_uint_sum_uint" member (List(&Uint)) -> Uint, TraverseTarget;
        ListDoubleSumDouble = "list_double_sum_double" member (List(&Double)) -> Double, TraverseTarget;
        ListDurationSumDuration = "list_duration_sum_duration" member (List(&Duration)) -> Duration, TraverseTarget;
    }
    "timestamp" {
        TimestampToTimestamp = "timestamp_to_timestamp" global (Timestamp) -> Timestamp, Unit;
        Int64ToTimestamp = "int64_to_timestamp" global (Int) -> Timestamp, Unit;
        StringToTimestamp = "string_to_timestamp" global (String) -> Timestamp, Unit;
    }
    "trim" {
        StringTrim = "string_trim" member (String) -> String, ScanTarget;
    }
    "type" {
        Type = "type" global (A) -> Type(&A), Unit;
    }
    "uint" {
        Uint64ToUint64 = "uint64_to_uint64" global (Uint) -> Uint, Unit;
        DoubleToUint64 = "double_to_uint64" global (Double) -> Uint, Unit;
        Int64ToUint64 = "int64_to_uint64" global (Int) -> Uint, Unit;
        StringToUint64 = "string_to_uint64" global (String) -> Uint, Unit;
    }
    "unwrapOpt" {
        OptionalUnwrapOpt = "optional_unwrapOpt" member (List(&Optional(&A))) -> List(&A), Unit since 28;
    }
    "upperAscii" {
        StringUpperAscii = "string_upper_ascii" member (String) -> String, ScanTarget;
    }
    "url" {
        StringToUrl = "string_to_url" global (String) -> Url, ScanArg;
    }
    "validate" {
        FormatValidate = "format-validate" member (Format, String) -> Optional(&List(&String)), Validate since 31;
    }
    "value" {
        OptionalValue = "optional_value" member (Optional(&A)) -> A, Unit since 28;
    }
}
