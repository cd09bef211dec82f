//! Semantic versions.

use super::Type;

const VERSION: Type = Type::Struct("kubernetes.Semver");

library! {
    /// Kubernetes' semantic versions.
    pub SEMVER = "kubernetes.semver" since 33;
    "compareTo" = Call(|args, _| run::of(args, |a, b| Val::Int(a.compare(b) as i64))) => { "semver_compare_to" member (VERSION, VERSION) -> Int, Unit; }
    "isGreaterThan" = Call(|args, _| run::of(args, |a, b| Val::Bool(a.compare(b).is_gt()))) => {
        "semver_is_greater_than" member (VERSION, VERSION) -> Bool, Unit;
    }
    "isLessThan" = Call(|args, _| run::of(args, |a, b| Val::Bool(a.compare(b).is_lt()))) => {
        "semver_is_less_than" member (VERSION, VERSION) -> Bool, Unit;
    }
    "isSemver" = Call(|args, _| run::parse(args).map(|v| Ok(Val::Bool(v.is_ok())))) => {
        "is_semver_string" global (String) -> Bool, ParseArg;
        "is_semver_string_bool" global (String, Bool) -> Bool, ParseArg;
    }
    "major" = Call(|args, _| run::of(args, |v, _| run::number(v.major))) => { "semver_major" member (VERSION) -> Int, Unit; }
    "minor" = Call(|args, _| run::of(args, |v, _| run::number(v.minor))) => { "semver_minor" member (VERSION) -> Int, Unit; }
    "patch" = Call(|args, _| run::of(args, |v, _| run::number(v.patch))) => { "semver_patch" member (VERSION) -> Int, Unit; }
    "semver" = Call(run::semver) => {
        "string_to_semver" global (String) -> VERSION, ParseArg;
        "string_bool_to_semver" global (String, Bool) -> VERSION, ParseArg;
    }
}

#[cfg(feature = "eval")]
mod run {
    use crate::funcs::Called;
    use crate::value::{Error, Opaque, Val, Work};
    use crdgen_text::go::semver::Version;
    use std::sync::Arc;

    pub(super) fn parse(args: &[Val<'_>]) -> Option<Result<Version, crdgen_text::go::Error>> {
        let text = args.first()?.as_str()?;
        match args.get(1) {
            Some(Val::Bool(true)) => Some(Version::parse_tolerant(text)),
            Some(Val::Bool(false)) | None => Some(Version::parse(text)),
            Some(_) => None,
        }
    }

    pub(super) fn of<'a>(args: &[Val<'a>], f: impl Fn(&Version, &Version) -> Val<'a>) -> Called<'a> {
        match args {
            [Val::Opaque(Opaque::Semver(a)), Val::Opaque(Opaque::Semver(b))] => Some(Ok(f(a, b))),
            [Val::Opaque(Opaque::Semver(a))] => Some(Ok(f(a, a))),
            _ => None,
        }
    }

    /// A part of a version, which Go converts without checking for overflow.
    pub(super) fn number<'a>(n: u64) -> Val<'a> {
        Val::Int(n as i64)
    }

    pub(super) fn semver<'a>(args: &[Val<'a>], _: &Work) -> Called<'a> {
        let parsed = parse(args)?.map(|version| Val::Opaque(Opaque::Semver(Arc::new(version))));
        Some(parsed.map_err(Error::new))
    }
}
