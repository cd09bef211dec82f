//! The numbers that a type and format can represent. The server checks values, bounds and factors against it.

use super::{Keyword, Limits, Schema, Type};
use std::fmt;

/// The numbers that a type and format allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberSize<'f> {
    ty: Option<&'static str>,
    format: &'f str,
}

impl<'f> NumberSize<'f> {
    /// A size without limits.
    pub const ANY: NumberSize<'static> = NumberSize { ty: None, format: "" };

    /// Returns the size of a type and format. Types that are not numbers have no limits.
    pub fn of(ty: Option<&Type>, format: &'f str) -> NumberSize<'f> {
        let (ty, formats) = match ty {
            Some(Type::Integer) => ("integer", ["int32", "int64"]),
            Some(Type::Number) => ("number", ["float", "double"]),
            Some(Type::Object | Type::Array | Type::String | Type::Boolean | Type::Other(_)) | None => {
                return NumberSize::ANY;
            }
        };
        NumberSize { ty: Some(ty), format: if formats.contains(&format) { format } else { "" } }
    }

    /// Returns whether an integer has this type and format.
    pub fn has_integer(self, value: i64) -> bool {
        match (self.ty, self.format) {
            (Some("integer"), "int32") => i32::try_from(value).is_ok(),
            (Some("number"), "float") => (value as f32).is_finite(),
            _ => true,
        }
    }

    /// Returns whether a float has this type and format.
    pub fn has_float(self, value: f64) -> bool {
        match (self.ty, self.format) {
            (Some("integer"), "int32") => {
                value.fract() == 0.0 && (-2_147_483_648.0..2_147_483_648.0).contains(&value)
            }
            // The server parses the shortest digits of the float, and those of the lowest 64-bit integer
            // are rounded to -9223372036854776000.
            (Some("integer"), _) => value.fract() == 0.0 && value.abs() < 9_223_372_036_854_775_808.0,
            (Some("number"), "float") => (value as f32).is_finite(),
            _ => true,
        }
    }
}

/// The type and format in the server's words.
impl fmt::Display for NumberSize<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ty = self.ty.unwrap_or_default();
        match self.format {
            "" => write!(f, "{ty} (default format)"),
            format => write!(f, "{ty} with format {format}"),
        }
    }
}

impl Schema {
    /// Returns the first bound or factor that does not have the type and format of the numbers: its keyword and value. The
    /// server then rejects every number.
    pub fn bound_of_other_type(&self) -> Option<(Keyword, f64)> {
        let Limits { minimum, maximum, multiple_of, .. } = &self.limits;
        // Integers or strings have no size.
        let ty = self.ty.as_ref().filter(|_| !self.ext.int_or_string);
        let size = NumberSize::of(ty, &self.limits.format);
        [(Keyword::Minimum, minimum), (Keyword::Maximum, maximum), (Keyword::MultipleOf, multiple_of)]
            .into_iter()
            .find_map(|(keyword, bound)| Some((keyword, bound.filter(|bound| !size.has_float(*bound))?)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Keyword, Schema, Type};

    #[test]
    fn finds_bounds_that_are_no_numbers_of_the_type() {
        let with = |ty: Type, format: &str, minimum: f64| {
            let mut schema = Schema::of(ty);
            format.clone_into(&mut schema.limits.format);
            schema.limits.minimum = Some(minimum);
            schema.bound_of_other_type()
        };
        assert_eq!(with(Type::Integer, "int32", 0.5), Some((Keyword::Minimum, 0.5)));
        assert_eq!(with(Type::Integer, "", 0.5), Some((Keyword::Minimum, 0.5)));
        assert_eq!(with(Type::Integer, "int32", 3e9), Some((Keyword::Minimum, 3e9)));
        assert_eq!(with(Type::Integer, "int64", 3e9), None);
        assert_eq!(with(Type::Integer, "int64", 1e19), Some((Keyword::Minimum, 1e19)));
        assert_eq!(with(Type::Number, "double", 0.5), None);
        assert_eq!(with(Type::Number, "float", 1e39), Some((Keyword::Minimum, 1e39)));
    }
}
