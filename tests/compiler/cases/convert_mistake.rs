//! One mistake is one error, although other types need the conversion.

mod v1beta1 {
    pub struct Widget {
        pub port: Port,
    }

    pub struct Port {
        pub port: i32,
    }
}

mod v1 {
    use super::v1beta1;
    use crdgen::Convert;

    #[derive(Convert)]
    #[convert(from = "v1beta1::Widget")]
    pub struct Widget {
        pub port: Port,
    }

    #[derive(Convert)]
    #[convert(from = "v1beta1::Port")]
    pub struct Port {
        #[convert(from = "port", with = "f")]
        pub number: i32,
    }
}

fn main() {}
