//! The standard library: operators, conversions, sizes, parts of times, and texts.

use super::{list, map, type_of};

library! {
    /// CEL's own functions and operators.
    pub STANDARD = "standard" since 0;
    "!_" = Apply(Operator::Not) => { "logical_not" global (Bool) -> Bool, Unit; }
    "-_" = Apply(Operator::Negate) => {
        "negate_double" global (Double) -> Double, Unit;
        "negate_int64" global (Int) -> Int, Unit;
    }
    "@in" = Apply(Operator::In) => {
        "in_list" global (A, list(&A)) -> Bool, InList;
        "in_map" global (A, map(&A, &B)) -> Bool, Unit;
    }
    "@not_strictly_false" = Apply(Operator::NotStrictlyFalse) => { "not_strictly_false" global (Bool) -> Bool, Unit; }
    "_!=_" = Apply(Operator::NotEquals) => { "not_equals" global (A, A) -> Bool, Compare; }
    "_%_" = Apply(Operator::Modulo) => {
        "modulo_int64" global (Int, Int) -> Int, Unit;
        "modulo_uint64" global (Uint, Uint) -> Uint, Unit;
    }
    "_&&_" = Apply(Operator::And) => { "logical_and" global (Bool, Bool) -> Bool, Logic; }
    "_*_" = Apply(Operator::Multiply) => {
        "multiply_double" global (Double, Double) -> Double, Unit;
        "multiply_int64" global (Int, Int) -> Int, Unit;
        "multiply_uint64" global (Uint, Uint) -> Uint, Unit;
    }
    "_+_" = Apply(Operator::Add) => {
        "add_bytes" global (Bytes, Bytes) -> Bytes, Concat;
        "add_double" global (Double, Double) -> Double, Unit;
        "add_duration_duration" global (Duration, Duration) -> Duration, Unit;
        "add_duration_timestamp" global (Duration, Timestamp) -> Timestamp, Unit;
        "add_timestamp_duration" global (Timestamp, Duration) -> Timestamp, Unit;
        "add_int64" global (Int, Int) -> Int, Unit;
        "add_list" global (list(&A), list(&A)) -> list(&A), ConcatList;
        "add_string" global (String, String) -> String, Concat;
        "add_uint64" global (Uint, Uint) -> Uint, Unit;
    }
    "_-_" = Apply(Operator::Subtract) => {
        "subtract_double" global (Double, Double) -> Double, Unit;
        "subtract_duration_duration" global (Duration, Duration) -> Duration, Unit;
        "subtract_int64" global (Int, Int) -> Int, Unit;
        "subtract_timestamp_duration" global (Timestamp, Duration) -> Timestamp, Unit;
        "subtract_timestamp_timestamp" global (Timestamp, Timestamp) -> Duration, Unit;
        "subtract_uint64" global (Uint, Uint) -> Uint, Unit;
    }
    "_/_" = Apply(Operator::Divide) => {
        "divide_double" global (Double, Double) -> Double, Unit;
        "divide_int64" global (Int, Int) -> Int, Unit;
        "divide_uint64" global (Uint, Uint) -> Uint, Unit;
    }
    "_<=_" = Apply(Operator::LessEqual) => {
        "less_equals_bool" global (Bool, Bool) -> Bool, Unit;
        "less_equals_int64" global (Int, Int) -> Bool, Unit;
        "less_equals_int64_double" global (Int, Double) -> Bool, Unit;
        "less_equals_int64_uint64" global (Int, Uint) -> Bool, Unit;
        "less_equals_uint64" global (Uint, Uint) -> Bool, Unit;
        "less_equals_uint64_double" global (Uint, Double) -> Bool, Unit;
        "less_equals_uint64_int64" global (Uint, Int) -> Bool, Unit;
        "less_equals_double" global (Double, Double) -> Bool, Unit;
        "less_equals_double_int64" global (Double, Int) -> Bool, Unit;
        "less_equals_double_uint64" global (Double, Uint) -> Bool, Unit;
        "less_equals_string" global (String, String) -> Bool, Compare;
        "less_equals_bytes" global (Bytes, Bytes) -> Bool, Compare;
        "less_equals_timestamp" global (Timestamp, Timestamp) -> Bool, Unit;
        "less_equals_duration" global (Duration, Duration) -> Bool, Unit;
    }
    "_<_" = Apply(Operator::Less) => {
        "less_bool" global (Bool, Bool) -> Bool, Unit;
        "less_int64" global (Int, Int) -> Bool, Unit;
        "less_int64_double" global (Int, Double) -> Bool, Unit;
        "less_int64_uint64" global (Int, Uint) -> Bool, Unit;
        "less_uint64" global (Uint, Uint) -> Bool, Unit;
        "less_uint64_double" global (Uint, Double) -> Bool, Unit;
        "less_uint64_int64" global (Uint, Int) -> Bool, Unit;
        "less_double" global (Double, Double) -> Bool, Unit;
        "less_double_int64" global (Double, Int) -> Bool, Unit;
        "less_double_uint64" global (Double, Uint) -> Bool, Unit;
        "less_string" global (String, String) -> Bool, Compare;
        "less_bytes" global (Bytes, Bytes) -> Bool, Compare;
        "less_timestamp" global (Timestamp, Timestamp) -> Bool, Unit;
        "less_duration" global (Duration, Duration) -> Bool, Unit;
    }
    "_==_" = Apply(Operator::Equals) => { "equals" global (A, A) -> Bool, Equals; }
    "_>=_" = Apply(Operator::GreaterEqual) => {
        "greater_equals_bool" global (Bool, Bool) -> Bool, Unit;
        "greater_equals_int64" global (Int, Int) -> Bool, Unit;
        "greater_equals_int64_double" global (Int, Double) -> Bool, Unit;
        "greater_equals_int64_uint64" global (Int, Uint) -> Bool, Unit;
        "greater_equals_uint64" global (Uint, Uint) -> Bool, Unit;
        "greater_equals_uint64_double" global (Uint, Double) -> Bool, Unit;
        "greater_equals_uint64_int64" global (Uint, Int) -> Bool, Unit;
        "greater_equals_double" global (Double, Double) -> Bool, Unit;
        "greater_equals_double_int64" global (Double, Int) -> Bool, Unit;
        "greater_equals_double_uint64" global (Double, Uint) -> Bool, Unit;
        "greater_equals_string" global (String, String) -> Bool, Compare;
        "greater_equals_bytes" global (Bytes, Bytes) -> Bool, Compare;
        "greater_equals_timestamp" global (Timestamp, Timestamp) -> Bool, Unit;
        "greater_equals_duration" global (Duration, Duration) -> Bool, Unit;
    }
    "_>_" = Apply(Operator::Greater) => {
        "greater_bool" global (Bool, Bool) -> Bool, Unit;
        "greater_int64" global (Int, Int) -> Bool, Unit;
        "greater_int64_double" global (Int, Double) -> Bool, Unit;
        "greater_int64_uint64" global (Int, Uint) -> Bool, Unit;
        "greater_uint64" global (Uint, Uint) -> Bool, Unit;
        "greater_uint64_double" global (Uint, Double) -> Bool, Unit;
        "greater_uint64_int64" global (Uint, Int) -> Bool, Unit;
        "greater_double" global (Double, Double) -> Bool, Unit;
        "greater_double_int64" global (Double, Int) -> Bool, Unit;
        "greater_double_uint64" global (Double, Uint) -> Bool, Unit;
        "greater_string" global (String, String) -> Bool, Compare;
        "greater_bytes" global (Bytes, Bytes) -> Bool, Compare;
        "greater_timestamp" global (Timestamp, Timestamp) -> Bool, Unit;
        "greater_duration" global (Duration, Duration) -> Bool, Unit;
    }
    "_?_:_" = Apply(Operator::Conditional) => { "conditional" global (Bool, A, A) -> A, Conditional; }
    "_[_]" = Apply(Operator::Index) => {
        "index_list" global (list(&A), Int) -> A, Items;
        "index_map" global (map(&A, &B), A) -> B, Values;
    }
    "_||_" = Apply(Operator::Or) => { "logical_or" global (Bool, Bool) -> Bool, Logic; }
    "bool" = With(Way::Conversion, run::same) => { "bool_to_bool" global (Bool) -> Bool, Unit; }
    "bool" = With(Way::Conversion, |args, _| one(args, convert::to_bool)) => { "string_to_bool" global (String) -> Bool, Unit; }
    "bytes" = With(Way::Conversion, run::same) => { "bytes_to_bytes" global (Bytes) -> Bytes, Unit; }
    "bytes" = With(Way::Conversion, |args, work| one(args, |value| convert::to_bytes(value, work))) => {
        "string_to_bytes" global (String) -> Bytes, StringToBytes;
    }
    "contains" = With(Way::Method, |args, _| test(args, |s, t| s.contains(t))) => {
        "contains_string" member (String, String) -> Bool, Contains;
    }
    "double" = With(Way::Conversion, run::same) => { "double_to_double" global (Double) -> Double, Unit; }
    "double" = With(Way::Conversion, |args, _| one(args, convert::to_double)) => {
        "int64_to_double" global (Int) -> Double, Unit;
        "string_to_double" global (String) -> Double, Unit;
        "uint64_to_double" global (Uint) -> Double, Unit;
    }
    "duration" = With(Way::Conversion, run::same) => { "duration_to_duration" global (Duration) -> Duration, Unit; }
    "duration" = With(Way::Conversion, |args, _| one(args, convert::to_duration)) => {
        "string_to_duration" global (String) -> Duration, Unit;
    }
    "dyn" = Apply(Operator::Dyn) => { "to_dyn" global (A) -> Dyn, Same; }
    "endsWith" = With(Way::Method, |args, _| test(args, |s, t| s.ends_with(t))) => {
        "ends_with_string" member (String, String) -> Bool, ScanAffix;
    }
    "getDate" = Call(|args, _| times::get(args, |c, _| c.day)) => {
        "timestamp_to_day_of_month_1_based" member (Timestamp) -> Int, Unit;
        "timestamp_to_day_of_month_1_based_with_tz" member (Timestamp, String) -> Int, Unit;
    }
    "getDayOfMonth" = Call(|args, _| times::get(args, |c, _| c.day - 1)) => {
        "timestamp_to_day_of_month" member (Timestamp) -> Int, Unit;
        "timestamp_to_day_of_month_with_tz" member (Timestamp, String) -> Int, Unit;
    }
    "getDayOfWeek" = Call(|args, _| times::get(args, |c, _| c.weekday)) => {
        "timestamp_to_day_of_week" member (Timestamp) -> Int, Unit;
        "timestamp_to_day_of_week_with_tz" member (Timestamp, String) -> Int, Unit;
    }
    "getDayOfYear" = Call(|args, _| times::get(args, |c, _| c.day_of_year)) => {
        "timestamp_to_day_of_year" member (Timestamp) -> Int, Unit;
        "timestamp_to_day_of_year_with_tz" member (Timestamp, String) -> Int, Unit;
    }
    "getFullYear" = Call(|args, _| times::get(args, |c, _| c.year)) => {
        "timestamp_to_year" member (Timestamp) -> Int, Unit;
        "timestamp_to_year_with_tz" member (Timestamp, String) -> Int, Unit;
    }
    "getHours" = Call(|args, _| times::get(args, |c, _| c.hour)) => {
        "timestamp_to_hours" member (Timestamp) -> Int, Unit;
        "timestamp_to_hours_with_tz" member (Timestamp, String) -> Int, Unit;
    }
    "getHours" = Call(|args, _| times::duration(args, 3_600_000_000_000)) => { "duration_to_hours" member (Duration) -> Int, Unit; }
    "getMilliseconds" = Call(|args, _| times::get(args, |_, nanos| nanos / 1_000_000)) => {
        "timestamp_to_milliseconds" member (Timestamp) -> Int, Unit;
        "timestamp_to_milliseconds_with_tz" member (Timestamp, String) -> Int, Unit;
    }
    "getMilliseconds" = Call(|args, _| times::duration(args, 1_000_000)) => { "duration_to_milliseconds" member (Duration) -> Int, Unit; }
    "getMinutes" = Call(|args, _| times::get(args, |c, _| c.minute)) => {
        "timestamp_to_minutes" member (Timestamp) -> Int, Unit;
        "timestamp_to_minutes_with_tz" member (Timestamp, String) -> Int, Unit;
    }
    "getMinutes" = Call(|args, _| times::duration(args, 60_000_000_000)) => { "duration_to_minutes" member (Duration) -> Int, Unit; }
    "getMonth" = Call(|args, _| times::get(args, |c, _| c.month - 1)) => {
        "timestamp_to_month" member (Timestamp) -> Int, Unit;
        "timestamp_to_month_with_tz" member (Timestamp, String) -> Int, Unit;
    }
    "getSeconds" = Call(|args, _| times::get(args, |c, _| c.second)) => {
        "timestamp_to_seconds" member (Timestamp) -> Int, Unit;
        "timestamp_to_seconds_tz" member (Timestamp, String) -> Int, Unit;
    }
    "getSeconds" = Call(|args, _| times::duration(args, 1_000_000_000)) => { "duration_to_seconds" member (Duration) -> Int, Unit; }
    "int" = With(Way::Conversion, run::same) => { "int64_to_int64" global (Int) -> Int, Unit; }
    "int" = With(Way::Conversion, |args, _| one(args, convert::to_int)) => {
        "double_to_int64" global (Double) -> Int, Unit;
        "duration_to_int64" global (Duration) -> Int, Unit;
        "string_to_int64" global (String) -> Int, Unit;
        "timestamp_to_int64" global (Timestamp) -> Int, Unit;
        "uint64_to_int64" global (Uint) -> Int, Unit;
    }
    "matches" = Regex(RegexKind::Matches) => {
        "matches" global (String, String) -> Bool, Matches;
        "matches_string" member (String, String) -> Bool, Matches;
    }
    "size" = Apply(Operator::Size) => {
        "size_bytes" global (Bytes) -> Int, Unit;
        "bytes_size" member (Bytes) -> Int, Unit;
        "size_list" global (list(&A)) -> Int, Unit;
        "list_size" member (list(&A)) -> Int, Unit;
        "size_map" global (map(&A, &B)) -> Int, Unit;
        "map_size" member (map(&A, &B)) -> Int, Unit;
        "size_string" global (String) -> Int, Unit;
        "string_size" member (String) -> Int, Unit;
    }
    "startsWith" = With(Way::Method, |args, _| test(args, |s, t| s.starts_with(t))) => {
        "starts_with_string" member (String, String) -> Bool, ScanAffix;
    }
    "string" = With(Way::Conversion, run::same) => { "string_to_string" global (String) -> String, Unit; }
    "string" = With(Way::Conversion, |args, work| one(args, |value| convert::to_string(value, work))) => {
        "bool_to_string" global (Bool) -> String, Unit;
        "bytes_to_string" global (Bytes) -> String, BytesToString;
        "double_to_string" global (Double) -> String, Unit;
        "duration_to_string" global (Duration) -> String, Unit;
        "int64_to_string" global (Int) -> String, Unit;
        "timestamp_to_string" global (Timestamp) -> String, Unit;
        "uint64_to_string" global (Uint) -> String, Unit;
    }
    "timestamp" = With(Way::Conversion, run::same) => {
        "timestamp_to_timestamp" global (Timestamp) -> Timestamp, Unit;
    }
    "timestamp" = With(Way::Conversion, |args, _| one(args, convert::to_timestamp)) => {
        "int64_to_timestamp" global (Int) -> Timestamp, Unit;
        "string_to_timestamp" global (String) -> Timestamp, Unit;
    }
    "type" = Apply(Operator::Type) => { "type" global (A) -> type_of(&A), Unit; }
    "uint" = With(Way::Conversion, run::same) => { "uint64_to_uint64" global (Uint) -> Uint, Unit; }
    "uint" = With(Way::Conversion, |args, _| one(args, convert::to_uint)) => {
        "double_to_uint64" global (Double) -> Uint, Unit;
        "int64_to_uint64" global (Int) -> Uint, Unit;
        "string_to_uint64" global (String) -> Uint, Unit;
    }
}

#[cfg(feature = "eval")]
mod run {
    use crate::funcs::Called;
    use crate::value::{Val, Work};

    /// A conversion to the type that the value has.
    pub(super) fn same<'a>(args: &[Val<'a>], _: &Work) -> Called<'a> {
        args.first().cloned().map(Ok)
    }
}
