//! Types that do not convert, types without a conversion, and conversions that can fail inside of one that cannot.

mod v1beta1 {
    pub struct Widget {
        pub size: i32,
        pub port: Port,
    }

    pub struct Port {
        pub port: i32,
    }

    pub struct Other {
        pub port: Port,
    }

    pub struct Bare {
        pub size: i32,
    }

    pub struct Around {
        pub bare: Option<Bare>,
    }
}

mod v1 {
    use super::v1beta1;
    use crdgen::Convert;

    #[derive(Convert)]
    #[convert(from = "v1beta1::Widget")]
    pub struct Widget {
        pub size: i64,
        pub port: Port,
    }

    #[derive(Convert)]
    #[convert(from = "v1beta1::Port", fallible)]
    pub struct Port {
        #[convert(try_with = "there", try_back = "back")]
        pub port: i32,
    }

    #[derive(Convert)]
    #[convert(from = "v1beta1::Other", fallible)]
    pub struct Other {
        pub port: Port,
    }

    pub struct Bare {
        pub size: i32,
    }

    #[derive(Convert)]
    #[convert(from = "v1beta1::Around")]
    pub struct Around {
        pub bare: Option<Bare>,
    }

    fn there(port: i32) -> Result<i32, String> {
        Ok(port)
    }
    fn back(port: i32) -> Result<i32, String> {
        Ok(port)
    }
}

fn main() {}
