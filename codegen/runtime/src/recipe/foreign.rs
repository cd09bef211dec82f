//! Types of other crates. Each is behind a feature with the name of its crate.

#[allow(unused_imports, reason = "which are used depends on the features")]
use super::{Node, Schema, Shape, ShapeFn, known};

#[allow(unused_macros, reason = "which are used depends on the features")]
macro_rules! leaf {
    ($feature:literal: $($ty:ty => $node:ident;)*) => {$(
        #[cfg(feature = $feature)]
        impl Schema for $ty {
            const SHAPE: &'static Shape = &Shape::known(stringify!($ty), known::$node, &[]);
        }
    )*};
}

leaf! { "serde_json": serde_json::Value => json; serde_json::Number => number; }
leaf! { "chrono":
    chrono::NaiveDateTime => naive_date_time; chrono::NaiveDate => date; chrono::NaiveTime => time;
    chrono::Weekday => weekday;
}
leaf! { "jiff":
    jiff::Timestamp => date_time; jiff::Zoned => zoned; jiff::Span => iso_span; jiff::SignedDuration => iso_duration;
    jiff::civil::Date => date; jiff::civil::Time => time; jiff::civil::DateTime => naive_date_time;
}
leaf! { "time": time::OffsetDateTime => offset_date_time; }
leaf! { "uuid": uuid::Uuid => uuid; }
leaf! { "url": url::Url => uri; }
leaf! { "bytes": bytes::Bytes => bytes; bytes::BytesMut => bytes; }
leaf! { "camino": camino::Utf8PathBuf => string; }
leaf! { "ipnet": ipnet::IpNet => cidr; ipnet::Ipv4Net => cidr_v4; ipnet::Ipv6Net => cidr_v6; }
leaf! { "rust_decimal": rust_decimal::Decimal => decimal; }
leaf! { "bigdecimal": bigdecimal::BigDecimal => big_decimal; }
leaf! { "smol_str": smol_str::SmolStr => string; }
leaf! { "semver": semver::Version => semver; semver::VersionReq => semver_req; }

#[cfg(feature = "serde_json")]
impl Schema for serde_json::Map<String, serde_json::Value> {
    const SHAPE: &'static Shape = &Shape::known("serde_json::Map", known::object, &[]);
}

#[cfg(feature = "chrono")]
impl<Tz: chrono::TimeZone> Schema for chrono::DateTime<Tz> {
    const SHAPE: &'static Shape = &Shape::known("chrono::DateTime", known::date_time, &[]);
}

#[cfg(feature = "indexmap")]
impl<K: Schema, V: Schema, S> Schema for indexmap::IndexMap<K, V, S> {
    const SHAPE: &'static Shape =
        &Shape::known("IndexMap", known::map, &[K::shape as ShapeFn, V::shape as ShapeFn]);
}

#[cfg(feature = "indexmap")]
impl<T: Schema, S> Schema for indexmap::IndexSet<T, S> {
    const SHAPE: &'static Shape = &Shape::known("IndexSet", known::set, &[T::shape as ShapeFn]);
}

#[cfg(feature = "arrayvec")]
impl<T: Schema, const CAP: usize> Schema for arrayvec::ArrayVec<T, CAP> {
    const SHAPE: &'static Shape = &Shape::known("ArrayVec", known::list, &[T::shape as ShapeFn]);
}

#[cfg(feature = "smallvec")]
impl<A: smallvec::Array + Schema> Schema for smallvec::SmallVec<A> {
    const SHAPE: &'static Shape = &Shape::known("SmallVec", known::unbounded, &[A::shape as ShapeFn]);
}

#[cfg(feature = "ordered-float")]
impl<T: Schema> Schema for ordered_float::OrderedFloat<T> {
    const SHAPE: &'static Shape = &Shape::known("OrderedFloat", known::same, &[T::shape as ShapeFn]);
}

#[cfg(feature = "ordered-float")]
impl<T: Schema> Schema for ordered_float::NotNan<T> {
    const SHAPE: &'static Shape = &Shape::known("NotNan", known::same, &[T::shape as ShapeFn]);
}
