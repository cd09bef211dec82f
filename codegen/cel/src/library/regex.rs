//! Regular expressions.

use super::list;

library! {
    /// Kubernetes' functions that find patterns.
    pub REGEX = "kubernetes.regex" since 0;
    "find" = Regex(RegexKind::Find) => { "string_find_string" member (String, String) -> String, Find; }
    "findAll" = Regex(RegexKind::FindAll) => {
        "string_find_all_string" member (String, String) -> list(&String), Find;
        "string_find_all_string_int" member (String, String, Int) -> list(&String), Find;
    }
}
