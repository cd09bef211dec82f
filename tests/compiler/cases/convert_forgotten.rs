//! Fields that only the older version has must be named, and types that do not convert need functions.

mod v1beta1 {
    pub struct Widget {
        pub size: i32,
        pub mode: String,
        pub debug: bool,
    }

    pub struct Port {
        pub port: i32,
        pub storage: Storage,
    }

    pub struct Storage {
        pub class: String,
        pub gigabytes: i64,
    }

    pub enum Policy {
        Always,
        Never,
    }
}

mod v1 {
    use super::v1beta1;
    use crdgen::Convert;

    #[derive(Convert)]
    #[convert(from = "v1beta1::Widget")]
    pub struct Widget {
        pub size: i32,
    }

    #[derive(Convert)]
    #[convert(from = "v1beta1::Port", inside(storage = "v1beta1::Storage"))]
    pub struct Port {
        pub port: i32,
        #[convert(from = "storage.class")]
        pub class: String,
    }

    #[derive(Convert)]
    #[convert(from = "v1beta1::Policy")]
    pub enum Policy {
        Always,
    }
}

fn main() {}
