//! A text that becomes several fields, and fields that become a text.

use super::*;

pub mod v1beta1 {
    use super::*;

    #[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(group = "example.com", version = "v1beta1", kind = "Letter", namespaced, storage = false)]
    pub struct LetterSpec {
        pub subject: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub to: Option<Person>,
        #[serde(default)]
        pub copies: Vec<Person>,
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    pub struct Person {
        pub address: String,
        pub user: String,
        pub domain: String,
    }
}

pub mod v1 {
    use super::*;

    #[derive(Clone, Debug, Convert, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(group = "example.com", version = "v1", kind = "Letter", namespaced)]
    #[convert(from = "v1beta1::LetterSpec")]
    pub struct LetterSpec {
        pub subject: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub to: Option<Person>,
        #[serde(default)]
        pub copies: Vec<Person>,
    }

    #[derive(Clone, Debug, Convert, Deserialize, Schema, Serialize)]
    #[convert(
        from = "v1beta1::Person",
        split(from = "address", into = ["street", "city"], with = "split", back = "join")
    )]
    pub struct Person {
        pub street: String,
        pub city: String,
        #[convert(from = ["user", "domain"], with = "email", back = "of_email")]
        pub email: String,
    }

    fn split(address: String) -> (String, String) {
        match address.split_once(", ") {
            Some((street, city)) => (street.to_owned(), city.to_owned()),
            None => (address, String::new()),
        }
    }
    fn join(street: String, city: String) -> String {
        format!("{street}, {city}")
    }
    fn email(user: String, domain: String) -> String {
        format!("{user}@{domain}")
    }
    fn of_email(email: String) -> (String, String) {
        let (user, domain) = email.split_once('@').unwrap_or((&email, ""));
        (user.to_owned(), domain.to_owned())
    }
}

pub fn versions() -> Versions {
    Versions::new().pair::<v1beta1::Letter, v1::Letter>()
}
