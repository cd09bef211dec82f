//! Paths of JSON patches.

library! {
    /// Kubernetes' paths of patches.
    pub JSON_PATCH = "kubernetes.jsonpatch" since 0;
    "jsonpatch.escapeKey" = Call(|args, work| change(args, 2, work, |s| s.replace('~', "~0").replace('/', "~1"))) => {
        "string_jsonpatch_escapeKey_string" global (String) -> String, ScanArg;
    }
}
