//! Names that always exist: types as values, and protobuf's well-known messages.

use crate::types::{Kind, Ty, Types};

/// The meaning of a name.
pub(super) enum Meaning {
    /// A type.
    Type(Ty),
    /// An enumeration's constant.
    Constant(i64),
}

const PROTOBUF: &str = "google.protobuf.";

/// The names of cel-go's own types.
pub(super) const STANDARD: [&str; 12] = [
    "bool",
    "bytes",
    "double",
    "google.protobuf.Duration",
    "google.protobuf.Timestamp",
    "int",
    "list",
    "map",
    "null_type",
    "string",
    "type",
    "uint",
];

/// The meaning of a full name that is not in the declarations.
pub(super) fn global(name: &str, types: &mut Types) -> Option<Meaning> {
    let ty = match name {
        "bool" => Ty::BOOL,
        "bytes" => Ty::BYTES,
        "double" => Ty::DOUBLE,
        "int" => Ty::INT,
        "uint" => Ty::UINT,
        "string" => Ty::STRING,
        "null_type" => Ty::NULL,
        "type" => Ty::TYPE,
        // Types of schemas whose names do not exist at run time.
        "duration" => Ty::DURATION,
        "timestamp" => Ty::TIMESTAMP,
        "list" => types.list(Ty::DYN),
        "map" => types.map(Ty::DYN, Ty::DYN),
        "optional_type" => types.optional(Ty::DYN),
        "net.IP" => Ty::IP,
        "net.CIDR" => Ty::CIDR,
        _ => match name.strip_prefix(PROTOBUF)? {
            "NullValue.NULL_VALUE" => return Some(Meaning::Constant(0)),
            message => message_type(message, types)?,
        },
    };
    Some(Meaning::Type(ty))
}

/// Whether names with dots can begin with this one.
pub(super) fn is_namespace(first: &str) -> bool {
    matches!(first.trim_start_matches('.'), "google" | "net")
}

/// The type of a constructed message, with the name by which its fields are known. If the type is not a message, an
/// error with the type.
pub(super) fn constructed(name: &str, types: &mut Types) -> Option<Result<(Ty, &'static str), Ty>> {
    let Meaning::Type(ty) = global(name.strip_prefix('.').unwrap_or(name), types)? else { return None };
    let well_known = match types.kind(ty) {
        Kind::Any => "google.protobuf.Any",
        Kind::Dyn => "google.protobuf.Value",
        Kind::Null => "google.protobuf.NullValue",
        Kind::Duration => "google.protobuf.Duration",
        Kind::Timestamp => "google.protobuf.Timestamp",
        Kind::Wrapper(of) => match *of {
            Ty::BOOL => "google.protobuf.BoolValue",
            Ty::BYTES => "google.protobuf.BytesValue",
            Ty::DOUBLE => "google.protobuf.DoubleValue",
            Ty::INT => "google.protobuf.Int64Value",
            Ty::STRING => "google.protobuf.StringValue",
            _ => "google.protobuf.UInt64Value",
        },
        Kind::List(of) if *of == Ty::DYN => "google.protobuf.ListValue",
        Kind::Map(k, v) if *k == Ty::STRING && *v == Ty::DYN => "google.protobuf.Struct",
        Kind::Struct(name) => name,
        _ => return Some(Err(ty)),
    };
    Some(Ok((ty, well_known)))
}

/// Whether a name is that of a scalar type of schemas. It exists, but has no fields.
pub(super) fn is_scalar(name: &str) -> bool {
    matches!(
        name,
        "bool" | "bytes" | "double" | "duration" | "int" | "null_type" | "string" | "timestamp" | "uint"
    )
}

fn message_type(message: &str, types: &mut Types) -> Option<Ty> {
    let wrapped = match message {
        "Any" => return Some(Ty::ANY),
        "Duration" => return Some(Ty::DURATION),
        "Timestamp" => return Some(Ty::TIMESTAMP),
        "Value" => return Some(Ty::DYN),
        "Empty" => return Some(types.intern(Kind::Struct("google.protobuf.Empty"))),
        "Struct.FieldsEntry" => {
            return Some(types.intern(Kind::Struct("google.protobuf.Struct.FieldsEntry")));
        }
        "ListValue" => return Some(types.list(Ty::DYN)),
        "Struct" => return Some(types.map(Ty::STRING, Ty::DYN)),
        "BoolValue" => Ty::BOOL,
        "BytesValue" => Ty::BYTES,
        "DoubleValue" | "FloatValue" => Ty::DOUBLE,
        "Int32Value" | "Int64Value" => Ty::INT,
        "UInt32Value" | "UInt64Value" => Ty::UINT,
        "StringValue" => Ty::STRING,
        _ => return None,
    };
    Some(types.intern(Kind::Wrapper(wrapped)))
}

/// The type of a message's field. None if there is no such message, and an error if there is no such field.
pub(super) fn message_field(name: &str, field: &str, types: &mut Types) -> Option<Result<Ty, ()>> {
    let name = name.strip_prefix(PROTOBUF)?;
    let ty = match (name, field) {
        ("Any", "type_url") | ("StringValue", "value") | ("Value", "string_value") => Ty::STRING,
        ("Struct.FieldsEntry", "key") => Ty::STRING,
        ("Any" | "BytesValue", "value") => Ty::BYTES,
        ("BoolValue", "value") | ("Value", "bool_value") => Ty::BOOL,
        ("DoubleValue" | "FloatValue", "value") | ("Value", "number_value") => Ty::DOUBLE,
        ("Duration" | "Timestamp", "seconds" | "nanos") => Ty::INT,
        ("Int32Value" | "Int64Value", "value") | ("Value", "null_value") => Ty::INT,
        ("UInt32Value" | "UInt64Value", "value") => Ty::UINT,
        ("ListValue", "values") | ("Value", "list_value") => types.list(Ty::DYN),
        ("Struct", "fields") | ("Value", "struct_value") => types.map(Ty::STRING, Ty::DYN),
        ("Struct.FieldsEntry", "value") => Ty::DYN,
        _ => return message_type(name, types).map(|_| Err(())),
    };
    Some(Ok(ty))
}
