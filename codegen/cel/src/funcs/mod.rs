//! The implementation of functions, by overload. The arguments have been checked against the declared types of the
//! overload. (Like Go, this check reads only the first element of lists.)

pub(crate) mod arithmetic;
mod convert;
mod format;
mod formats;
mod lists;
mod messages;
mod net;
mod strings;
mod times;

use std::sync::Arc;

use crdgen_text::go::quantity::Quantity;
use crdgen_text::go::semver::Version;
use crdgen_text::go::url::Url;

use super::stdlib::Overload;
use super::value::{Error, Key, List, Map, Opaque, Outcome, Val, Work};

pub(super) use convert::in_range;
pub(super) use messages::make;
pub(super) use strings::slice;

/// Calls a function, except operators and those with regular expressions.
pub(super) fn call<'a>(overload: Overload, args: &[Val<'a>], work: &Work) -> Outcome<'a> {
    use Overload as O;
    let result = match overload {
        O::LogicalNot
        | O::NegateDouble
        | O::NegateInt64
        | O::InList
        | O::InMap
        | O::NotStrictlyFalse
        | O::NotEquals
        | O::ModuloInt64
        | O::ModuloUint64
        | O::LogicalAnd
        | O::MultiplyDouble
        | O::MultiplyInt64
        | O::MultiplyUint64
        | O::AddBytes
        | O::AddDouble
        | O::AddDurationDuration
        | O::AddDurationTimestamp
        | O::AddTimestampDuration
        | O::AddInt64
        | O::AddList
        | O::AddString
        | O::AddUint64
        | O::SubtractDouble
        | O::SubtractDurationDuration
        | O::SubtractInt64
        | O::SubtractTimestampDuration
        | O::SubtractTimestampTimestamp
        | O::SubtractUint64
        | O::DivideDouble
        | O::DivideInt64
        | O::DivideUint64
        | O::LessEqualsBool
        | O::LessEqualsInt64
        | O::LessEqualsInt64Double
        | O::LessEqualsInt64Uint64
        | O::LessEqualsUint64
        | O::LessEqualsUint64Double
        | O::LessEqualsUint64Int64
        | O::LessEqualsDouble
        | O::LessEqualsDoubleInt64
        | O::LessEqualsDoubleUint64
        | O::LessEqualsString
        | O::LessEqualsBytes
        | O::LessEqualsTimestamp
        | O::LessEqualsDuration
        | O::LessBool
        | O::LessInt64
        | O::LessInt64Double
        | O::LessInt64Uint64
        | O::LessUint64
        | O::LessUint64Double
        | O::LessUint64Int64
        | O::LessDouble
        | O::LessDoubleInt64
        | O::LessDoubleUint64
        | O::LessString
        | O::LessBytes
        | O::LessTimestamp
        | O::LessDuration
        | O::Equals
        | O::GreaterEqualsBool
        | O::GreaterEqualsInt64
        | O::GreaterEqualsInt64Double
        | O::GreaterEqualsInt64Uint64
        | O::GreaterEqualsUint64
        | O::GreaterEqualsUint64Double
        | O::GreaterEqualsUint64Int64
        | O::GreaterEqualsDouble
        | O::GreaterEqualsDoubleInt64
        | O::GreaterEqualsDoubleUint64
        | O::GreaterEqualsString
        | O::GreaterEqualsBytes
        | O::GreaterEqualsTimestamp
        | O::GreaterEqualsDuration
        | O::GreaterBool
        | O::GreaterInt64
        | O::GreaterInt64Double
        | O::GreaterInt64Uint64
        | O::GreaterUint64
        | O::GreaterUint64Double
        | O::GreaterUint64Int64
        | O::GreaterDouble
        | O::GreaterDoubleInt64
        | O::GreaterDoubleUint64
        | O::GreaterString
        | O::GreaterBytes
        | O::GreaterTimestamp
        | O::GreaterDuration
        | O::SelectOptionalField
        | O::Conditional
        | O::ListOptindexOptionalInt
        | O::OptionalListOptindexOptionalInt
        | O::MapOptindexOptionalValue
        | O::OptionalMapOptindexOptionalValue
        | O::IndexList
        | O::IndexMap
        | O::OptionalListIndexInt
        | O::OptionalMapIndexValue
        | O::LogicalOr
        | O::OptionalOrOptional
        | O::OptionalOrValueValue
        | O::Matches
        | O::MatchesString
        | O::StringFindString
        | O::StringFindAllString
        | O::StringFindAllStringInt => None,

        O::DecisionAllowed
        | O::PathcheckCheck
        | O::ResourcecheckCheck
        | O::DecisionError
        | O::DecisionErrored
        | O::AuthorizerFieldselector
        | O::AuthorizerGroup
        | O::AuthorizerLabelselector
        | O::ResourcecheckName
        | O::ResourcecheckNamespace
        | O::AuthorizerPath
        | O::DecisionReason
        | O::GroupcheckResource
        | O::AuthorizerServiceaccount
        | O::ResourcecheckSubresource => of_object(overload.decl().function, args),

        O::BoolToBool
        | O::BytesToBytes
        | O::DoubleToDouble
        | O::DurationToDuration
        | O::ToDyn
        | O::Int64ToInt64
        | O::StringToString
        | O::TimestampToTimestamp
        | O::Uint64ToUint64 => args.first().cloned().map(Ok),
        O::StringToBool => convert::one(args, convert::to_bool),
        O::StringToBytes => convert::one(args, |value| convert::to_bytes(value, work)),
        O::Int64ToDouble | O::StringToDouble | O::Uint64ToDouble => convert::one(args, convert::to_double),
        O::StringToDuration => convert::one(args, convert::to_duration),
        O::DoubleToInt64 | O::DurationToInt64 | O::StringToInt64 | O::TimestampToInt64 | O::Uint64ToInt64 => {
            convert::one(args, convert::to_int)
        }
        O::BoolToString
        | O::BytesToString
        | O::DoubleToString
        | O::DurationToString
        | O::Int64ToString
        | O::TimestampToString
        | O::Uint64ToString
        | O::IpToString
        | O::CidrToString => convert::one(args, |value| convert::to_string(value, work)),
        O::Int64ToTimestamp | O::StringToTimestamp => convert::one(args, convert::to_timestamp),
        O::DoubleToUint64 | O::Int64ToUint64 | O::StringToUint64 => convert::one(args, convert::to_uint),
        O::Type => convert::one(args, convert::to_type),

        O::SizeBytes
        | O::BytesSize
        | O::SizeList
        | O::ListSize
        | O::SizeMap
        | O::MapSize
        | O::SizeString
        | O::StringSize => convert::one(args, size),

        O::StringCharAtInt => strings::char_at(args),
        O::ContainsString => strings::test(args, |s, t| s.contains(t)),
        O::EndsWithString => strings::test(args, |s, t| s.ends_with(t)),
        O::StartsWithString => strings::test(args, |s, t| s.starts_with(t)),
        O::StringIndexOfString | O::StringIndexOfStringInt => strings::index_of(args, work),
        O::StringLastIndexOfString | O::StringLastIndexOfStringInt => strings::last_index_of(args, work),
        O::ListJoin | O::ListJoinString => strings::join(args, work),
        O::StringLowerAscii => strings::change(args, 1, work, |s| s.to_ascii_lowercase()),
        O::JsonPatchEscapeKey => strings::change(args, 2, work, |s| s.replace('~', "~0").replace('/', "~1")),
        O::StringUpperAscii => strings::change(args, 1, work, |s| s.to_ascii_uppercase()),
        O::StringReplaceStringString | O::StringReplaceStringStringInt => strings::replace(args, work),
        O::StringSplitString | O::StringSplitStringInt => strings::split(args, work),
        O::StringsQuote => strings::change(args, 2, work, strings::quote),
        O::StringSubstringInt | O::StringSubstringIntInt => strings::substring(args, work),
        O::StringTrim => strings::trim(args, work),
        O::StringFormat => format::format(args, work),

        O::ListAIndexOfInt => lists::index_of(args, lists::Which::First, work),
        O::ListALastIndexOfInt => lists::index_of(args, lists::Which::Last, work),
        O::ListIncludesDynDyn => lists::includes(args, work),
        O::ListIntIsSortedBool
        | O::ListUintIsSortedBool
        | O::ListDoubleIsSortedBool
        | O::ListBoolIsSortedBool
        | O::ListDurationIsSortedBool
        | O::ListTimestampIsSortedBool
        | O::ListStringIsSortedBool
        | O::ListBytesIsSortedBool => lists::is_sorted(args, work),
        O::ListIntMaxInt
        | O::ListUintMaxUint
        | O::ListDoubleMaxDouble
        | O::ListBoolMaxBool
        | O::ListDurationMaxDuration
        | O::ListTimestampMaxTimestamp
        | O::ListStringMaxString
        | O::ListBytesMaxBytes => lists::extreme(args, lists::Extreme::Max, work),
        O::ListIntMinInt
        | O::ListUintMinUint
        | O::ListDoubleMinDouble
        | O::ListBoolMinBool
        | O::ListDurationMinDuration
        | O::ListTimestampMinTimestamp
        | O::ListStringMinString
        | O::ListBytesMinBytes => lists::extreme(args, lists::Extreme::Min, work),
        O::ListIntSumInt => lists::sum(args, Val::Int(0), work),
        O::ListUintSumUint => lists::sum(args, Val::Uint(0), work),
        O::ListDoubleSumDouble => lists::sum(args, Val::Double(0.0), work),
        O::ListDurationSumDuration => lists::sum(args, Val::Duration(0), work),
        O::ListDistinct => lists::distinct(args, work),
        O::ListFlatten | O::ListFlattenInt => lists::flatten(args, work),
        O::ListReverse => lists::reverse(args, work),
        O::ListSlice => lists::slice(args, work),
        O::ListsRange => lists::range(args, work),
        O::ListIntSort
        | O::ListUintSort
        | O::ListDoubleSort
        | O::ListBoolSort
        | O::ListDurationSort
        | O::ListTimestampSort
        | O::ListStringSort
        | O::ListBytesSort
        | O::ListIntSortByAssociatedKeys
        | O::ListUintSortByAssociatedKeys
        | O::ListDoubleSortByAssociatedKeys
        | O::ListBoolSortByAssociatedKeys
        | O::ListDurationSortByAssociatedKeys
        | O::ListTimestampSortByAssociatedKeys
        | O::ListStringSortByAssociatedKeys
        | O::ListBytesSortByAssociatedKeys => lists::sort(args, work),
        O::ListSetsContainsList => lists::sets(args, work, lists::contains),
        O::ListSetsEquivalentList => lists::sets(args, work, lists::equivalent),
        O::ListSetsIntersectsList => lists::sets(args, work, lists::intersects),
        O::ListFirst => lists::end(args, |list| (!list.is_empty()).then_some(0)),
        O::ListLast => lists::end(args, |list| list.len().checked_sub(1)),
        O::OptionalUnwrap | O::OptionalUnwrapOpt => lists::unwrap(args, work),

        O::MapInsertMapKeyValue => insert(args, work),
        O::MapInsertMapMap => insert_all(args, work),

        O::OptionalNone => Some(Ok(Val::Optional(None))),
        O::OptionalOf => convert::one(args, |v| Ok(Val::some(v.clone()))),
        O::OptionalOfNonZeroValue => {
            convert::one(args, |v| Ok(if v.is_zero() { Val::Optional(None) } else { Val::some(v.clone()) }))
        }
        O::OptionalHasValue => optional(args, |o| Ok(Val::Bool(o.is_some()))),
        O::OptionalValue => optional(args, |o| match o {
            Some(v) => Ok((**v).clone()),
            None => Err(Error::fixed("optional.none() dereference")),
        }),

        O::TimestampToDayOfMonth1Based | O::TimestampToDayOfMonth1BasedWithTz => {
            times::get(args, |c, _| c.day)
        }
        O::TimestampToDayOfMonth | O::TimestampToDayOfMonthWithTz => times::get(args, |c, _| c.day - 1),
        O::TimestampToDayOfWeek | O::TimestampToDayOfWeekWithTz => times::get(args, |c, _| c.weekday),
        O::TimestampToDayOfYear | O::TimestampToDayOfYearWithTz => times::get(args, |c, _| c.day_of_year),
        O::TimestampToYear | O::TimestampToYearWithTz => times::get(args, |c, _| c.year),
        O::TimestampToHours | O::TimestampToHoursWithTz => times::get(args, |c, _| c.hour),
        O::TimestampToMilliseconds | O::TimestampToMillisecondsWithTz => {
            times::get(args, |_, nanos| nanos / 1_000_000)
        }
        O::TimestampToMinutes | O::TimestampToMinutesWithTz => times::get(args, |c, _| c.minute),
        O::TimestampToMonth | O::TimestampToMonthWithTz => times::get(args, |c, _| c.month - 1),
        O::TimestampToSeconds | O::TimestampToSecondsTz => times::get(args, |c, _| c.second),
        O::DurationToHours => times::duration(args, 3_600_000_000_000),
        O::DurationToMilliseconds => times::duration(args, 1_000_000),
        O::DurationToMinutes => times::duration(args, 60_000_000_000),
        O::DurationToSeconds => times::duration(args, 1_000_000_000),

        O::StringToUrl => url(args),
        O::IsUrlString => strings::test_one(args, |s| Url::parse_request_uri(s).is_ok()),
        O::UrlGetEscapedPath => url_part(args, |u| Val::text(u.escaped_path())),
        O::UrlGetHost => url_part(args, |u| Val::text(u.host.clone())),
        O::UrlGetHostname => url_part(args, |u| Val::text(u.hostname().to_owned())),
        O::UrlGetPort => url_part(args, |u| Val::text(u.port().to_owned())),
        O::UrlGetScheme => url_part(args, |u| Val::text(u.scheme.clone())),
        O::UrlGetQuery => url_part(args, |u| {
            let entries = u.parameters().into_iter().map(|(name, values)| {
                (Key::Str(name.into()), Val::list(values.into_iter().map(Val::text).collect()))
            });
            Val::Map(Map::own(entries.collect()))
        }),

        O::StringToIp => net::ip(args),
        O::IsIp => net::is_ip(args),
        O::IpIsCanonical => net::is_canonical(args),
        O::IpFamily => net::of_ip(args, |ip| Val::Int(if ip.bits() == 32 { 4 } else { 6 })),
        O::IpIsGlobalUnicast => net::of_ip(args, |ip| Val::Bool(ip.is_global_unicast())),
        O::IpIsLinkLocalMulticast => net::of_ip(args, |ip| Val::Bool(ip.is_link_local_multicast())),
        O::IpIsLinkLocalUnicast => net::of_ip(args, |ip| Val::Bool(ip.is_link_local_unicast())),
        O::IpIsLoopback => net::of_ip(args, |ip| Val::Bool(ip.is_loopback())),
        O::IpIsUnspecified => net::of_ip(args, |ip| Val::Bool(ip.is_unspecified())),
        O::StringToCidr => net::cidr(args),
        O::IsCidr => net::is_cidr(args),
        O::CidrContainsCidr | O::CidrContainsCidrString => net::contains_cidr(args),
        O::CidrContainsIpIp | O::CidrContainsIpString => net::contains_ip(args),
        O::CidrIp => net::of_cidr(args, |c| Val::Opaque(Opaque::Ip(c.ip.into()))),
        O::CidrMasked => net::of_cidr(args, |c| Val::Opaque(Opaque::Cidr(c.masked().into()))),
        O::CidrPrefixLength => net::of_cidr(args, |c| Val::Int(c.bits().into())),

        O::StringToQuantity => quantity_of(args),
        O::IsQuantityString => strings::test_one(args, |s| Quantity::parse(s).is_ok()),
        O::QuantityGetFloat => quantity(args, |q| Ok(Val::Double(q.as_float()))),
        O::QuantityGetInt => quantity(args, |q| {
            q.as_int().map(Val::Int).ok_or(Error::fixed("cannot convert value to integer"))
        }),
        O::QuantityIsInteger => quantity(args, |q| Ok(Val::Bool(q.as_int().is_some()))),
        O::QuantitySign => quantity(args, |q| Ok(Val::Int(q.sign()))),
        O::QuantityAdd | O::QuantityAddInt => quantities(args, |a, b| computed(a.add(b))),
        O::QuantitySub | O::QuantitySubInt => quantities(args, |a, b| computed(a.sub(b))),
        O::QuantityCompareTo => quantities(args, |a, b| Val::Int(a.compare(b) as i64)),
        O::QuantityIsGreaterThan => quantities(args, |a, b| Val::Bool(a.compare(b).is_gt())),
        O::QuantityIsLessThan => quantities(args, |a, b| Val::Bool(a.compare(b).is_lt())),

        O::StringToSemver | O::StringBoolToSemver => {
            version_of(args).map(|v| v.map(|v| Val::Opaque(Opaque::Semver(Arc::new(v)))).map_err(Error::new))
        }
        O::IsSemverString | O::IsSemverStringBool => version_of(args).map(|v| Ok(Val::Bool(v.is_ok()))),
        O::SemverMajor => version(args, |v, _| number(v.major)),
        O::SemverMinor => version(args, |v, _| number(v.minor)),
        O::SemverPatch => version(args, |v, _| number(v.patch)),
        O::SemverCompareTo => version(args, |a, b| Val::Int(a.compare(b) as i64)),
        O::SemverIsGreaterThan => version(args, |a, b| Val::Bool(a.compare(b).is_gt())),
        O::SemverIsLessThan => version(args, |a, b| Val::Bool(a.compare(b).is_lt())),

        O::FormatByte => formats::constant("byte"),
        O::FormatDate => formats::constant("date"),
        O::FormatDatetime => formats::constant("datetime"),
        O::FormatDns1035Label => formats::constant("dns1035Label"),
        O::FormatDns1035LabelPrefix => formats::constant("dns1035LabelPrefix"),
        O::FormatDns1123Label => formats::constant("dns1123Label"),
        O::FormatDns1123LabelPrefix => formats::constant("dns1123LabelPrefix"),
        O::FormatDns1123Subdomain => formats::constant("dns1123Subdomain"),
        O::FormatDns1123SubdomainPrefix => formats::constant("dns1123SubdomainPrefix"),
        O::FormatLabelValue => formats::constant("labelValue"),
        O::FormatQualifiedName => formats::constant("qualifiedName"),
        O::FormatUri => formats::constant("uri"),
        O::FormatUuid => formats::constant("uuid"),
        O::FormatNamed => formats::named(args),
        O::FormatValidate => formats::validate(args, work),
    };
    result.unwrap_or(Err(Error::NO_OVERLOAD))
}

/// The result of a function. None if the arguments have other types.
type Called<'a> = Option<Outcome<'a>>;

/// `size`
pub(super) fn size<'a>(value: &Val<'a>) -> Outcome<'a> {
    value.len().map(|n| Val::Int(n as i64)).ok_or(Error::NO_OVERLOAD)
}

/// A function of an object that the program which evaluates passes.
fn of_object<'a>(function: &str, args: &[Val<'a>]) -> Called<'a> {
    let [Val::Opaque(Opaque::Object(object)), args @ ..] = args else { return None };
    Some(object.call(function, args))
}

fn optional<'a>(args: &[Val<'a>], f: impl Fn(&Option<Arc<Val<'a>>>) -> Outcome<'a>) -> Called<'a> {
    if let [Val::Optional(o)] = args { Some(f(o)) } else { None }
}

fn insert<'a>(args: &[Val<'a>], work: &Work) -> Called<'a> {
    let [Val::Map(map), key, value] = args else { return None };
    let mut map = map.clone();
    Some(map.insert(key.clone(), value.clone(), work).map(|()| Val::Map(map)))
}

fn insert_all<'a>(args: &[Val<'a>], work: &Work) -> Called<'a> {
    let [Val::Map(map), Val::Map(more)] = args else { return None };
    let mut map = map.clone();
    for (key, value) in more.entries() {
        if let Err(e) = value.and_then(|value| map.insert(key, value, work)) {
            return Some(Err(e));
        }
    }
    Some(Ok(Val::Map(map)))
}

fn url<'a>(args: &[Val<'a>]) -> Called<'a> {
    let text = args.first()?.as_str()?;
    let parsed = Url::parse_request_uri(text).and_then(|_| Url::parse(text));
    let wrong = |why| Error::new(format!("URL parse error during conversion from string: {why}"));
    Some(parsed.map(|u| Val::Opaque(Opaque::Url(Arc::new(u)))).map_err(wrong))
}

fn url_part<'a>(args: &[Val<'a>], f: impl Fn(&Url) -> Val<'a>) -> Called<'a> {
    if let [Val::Opaque(Opaque::Url(u))] = args { Some(Ok(f(u))) } else { None }
}

fn quantity_of<'a>(args: &[Val<'a>]) -> Called<'a> {
    let quantity = |q| Val::Opaque(Opaque::Quantity { quantity: Arc::new(q), computed: false });
    Some(Quantity::parse(args.first()?.as_str()?).map(quantity).map_err(Error::new))
}

fn computed<'a>(q: Quantity) -> Val<'a> {
    Val::Opaque(Opaque::Quantity { quantity: Arc::new(q), computed: true })
}

fn quantity<'a>(args: &[Val<'a>], f: impl Fn(&Quantity) -> Outcome<'a>) -> Called<'a> {
    if let [Val::Opaque(Opaque::Quantity { quantity, .. })] = args { Some(f(quantity)) } else { None }
}

fn quantities<'a>(args: &[Val<'a>], f: impl Fn(&Quantity, &Quantity) -> Val<'a>) -> Called<'a> {
    let [Val::Opaque(Opaque::Quantity { quantity: a, .. }), b] = args else { return None };
    match b {
        Val::Opaque(Opaque::Quantity { quantity: b, .. }) => Some(Ok(f(a, b))),
        Val::Int(i) => Some(Ok(f(a, &Quantity::from_int(*i)))),
        _ => None,
    }
}

fn version_of(args: &[Val<'_>]) -> Option<Result<Version, crdgen_text::go::Error>> {
    let text = args.first()?.as_str()?;
    match args.get(1) {
        Some(Val::Bool(true)) => Some(Version::parse_tolerant(text)),
        Some(Val::Bool(false)) | None => Some(Version::parse(text)),
        Some(_) => None,
    }
}

fn version<'a>(args: &[Val<'a>], f: impl Fn(&Version, &Version) -> Val<'a>) -> Called<'a> {
    match args {
        [Val::Opaque(Opaque::Semver(a)), Val::Opaque(Opaque::Semver(b))] => Some(Ok(f(a, b))),
        [Val::Opaque(Opaque::Semver(a))] => Some(Ok(f(a, a))),
        _ => None,
    }
}

/// A part of a version, which Go converts without checking for overflow.
fn number<'a>(n: u64) -> Val<'a> {
    Val::Int(n as i64)
}

/// The elements of a list argument.
fn list<'l, 'a>(args: &'l [Val<'a>]) -> Option<&'l List<'a>> {
    if let Val::List(l) = args.first()? { Some(l) } else { None }
}
