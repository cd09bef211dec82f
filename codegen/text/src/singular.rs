//! English nouns in the names of fields.

/// The singular of an English word in camel case, as far as crdgen can determine it.
pub fn singular(word: &str) -> String {
    let start = word.rfind(|c: char| c.is_ascii_uppercase()).unwrap_or(0);
    let (head, last) = word.split_at(start);
    let lower = last.to_ascii_lowercase();
    let fixed = [
        "Dns",
        "Tls",
        "Https",
        "Jks",
        "Aws",
        "Gcs",
        "Kubernetes",
        "Series",
        "Sans",
        "Acs",
        "Css",
        "Js",
        "Os",
        "As",
        "Is",
        "Ips",
    ];
    let cut = if last == "Ips" {
        1
    } else if fixed.contains(&last)
        || lower.ends_with("ss")
        || lower.ends_with("us")
        || lower.ends_with("is")
        || (lower.ends_with("fs") && !lower.ends_with("refs"))
    {
        0
    } else if lower.len() > 4 && lower.ends_with("ies") {
        return format!("{head}{}y", &last[..last.len() - 3]);
    } else if ["sses", "uses", "xes", "tches", "shes", "sches"].iter().any(|e| lower.ends_with(e)) {
        2
    } else {
        usize::from(lower.len() > 3 && lower.ends_with('s'))
    };
    format!("{head}{}", &last[..last.len() - cut])
}
