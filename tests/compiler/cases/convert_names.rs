//! Fields and variants that the older type does not have.

mod v1beta1 {
    pub struct Widget {
        pub size: i32,
    }

    pub enum Policy {
        Always,
    }
}

mod v1 {
    use super::v1beta1;
    use crdgen::Convert;

    #[derive(Convert)]
    #[convert(from = "v1beta1::Widget")]
    pub struct Widget {
        #[convert(from = "sise")]
        pub size: i32,
    }

    #[derive(Convert)]
    #[convert(from = "v1beta1::Policy")]
    pub enum Policy {
        Always,
        #[convert(from = "Newer")]
        Never,
    }
}

fn main() {}
