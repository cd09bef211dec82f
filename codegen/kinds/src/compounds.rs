//! The traits for lists and objects that a serializer of serde needs. Most of them do the same.

/// Implements the traits for lists by `item` and `close`, and those for structs by `member` and `close`.
macro_rules! compounds {
    ($lists:ty, $objects:ty => $ok:ty, $error:ty) => {
        compounds! { @each $lists => $ok, $error;
            SerializeSeq serialize_element(value) item(),
            SerializeTuple serialize_element(value) item(),
            SerializeTupleStruct serialize_field(value) item(),
            SerializeTupleVariant serialize_field(value) item(),
        }
        compounds! { @each $objects => $ok, $error;
            SerializeStruct serialize_field(value, name: &'static str) member(name),
            SerializeStructVariant serialize_field(value, name: &'static str) member(name),
        }
    };
    (@each $of:ty => $ok:ty, $error:ty; $(
        $part:ident $method:ident($value:ident $(, $name:ident: $text:ty)?) $write:ident($($arg:ident)?),
    )*) => {$(
        impl ::serde::ser::$part for $of {
            type Ok = $ok;
            type Error = $error;
            fn $method<T: ::serde::Serialize + ?Sized>(
                &mut self,
                $($name: $text,)?
                $value: &T,
            ) -> Result<(), $error> {
                self.$write($($arg,)? $value)
            }
            fn end(self) -> Result<$ok, $error> {
                self.close()
            }
        }
    )*};
}
pub(crate) use compounds;
