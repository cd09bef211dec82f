//! Named formats, such as `format.dns1123Label()`.

use super::{Type, list, optional};
const FORMAT_TYPE: Type = Type::Struct("kubernetes.NamedFormat");

library! {
    /// Kubernetes' named formats.
    pub FORMAT = "kubernetes.format" since 31;
    "format.byte" = Call(|_, _| run::constant("byte")) => { "format.byte" global () -> FORMAT_TYPE, Unit; }
    "format.date" = Call(|_, _| run::constant("date")) => { "format.date" global () -> FORMAT_TYPE, Unit; }
    "format.datetime" = Call(|_, _| run::constant("datetime")) => { "format.datetime" global () -> FORMAT_TYPE, Unit; }
    "format.dns1035Label" = Call(|_, _| run::constant("dns1035Label")) => { "format.dns1035Label" global () -> FORMAT_TYPE, Unit; }
    "format.dns1035LabelPrefix" = Call(|_, _| run::constant("dns1035LabelPrefix")) => { "format.dns1035LabelPrefix" global () -> FORMAT_TYPE, Unit; }
    "format.dns1123Label" = Call(|_, _| run::constant("dns1123Label")) => { "format.dns1123Label" global () -> FORMAT_TYPE, Unit; }
    "format.dns1123LabelPrefix" = Call(|_, _| run::constant("dns1123LabelPrefix")) => { "format.dns1123LabelPrefix" global () -> FORMAT_TYPE, Unit; }
    "format.dns1123Subdomain" = Call(|_, _| run::constant("dns1123Subdomain")) => { "format.dns1123Subdomain" global () -> FORMAT_TYPE, Unit; }
    "format.dns1123SubdomainPrefix" = Call(|_, _| run::constant("dns1123SubdomainPrefix")) => {
        "format.dns1123SubdomainPrefix" global () -> FORMAT_TYPE, Unit;
    }
    "format.labelValue" = Call(|_, _| run::constant("labelValue")) => { "format.labelValue" global () -> FORMAT_TYPE, Unit; }
    "format.named" = Call(run::named) => { "format-named" global (String) -> optional(&FORMAT_TYPE), Unit; }
    "format.qualifiedName" = Call(|_, _| run::constant("qualifiedName")) => { "format.qualifiedName" global () -> FORMAT_TYPE, Unit; }
    "format.uri" = Call(|_, _| run::constant("uri")) => { "format.uri" global () -> FORMAT_TYPE, Unit; }
    "format.uuid" = Call(|_, _| run::constant("uuid")) => { "format.uuid" global () -> FORMAT_TYPE, Unit; }
    "validate" = Call(run::validate) => { "format-validate" member (FORMAT_TYPE, String) -> optional(const { &list(&String) }), Validate; }
}

#[cfg(feature = "eval")]
mod run {
    use crate::funcs::Called;
    use crate::value::{FORMATS, Opaque, Val, Work};
    use std::sync::Arc;

    fn find<'a>(key: &str) -> Option<Val<'a>> {
        FORMATS.iter().find(|f| f.key == key).map(|f| Val::Opaque(Opaque::Format(f)))
    }

    pub(super) fn constant<'a>(key: &str) -> Called<'a> {
        find(key).map(Ok)
    }

    pub(super) fn named<'a>(args: &[Val<'a>], _: &Work) -> Called<'a> {
        let format = find(args.first()?.as_str()?);
        Some(Ok(Val::Optional(format.map(Arc::new))))
    }

    pub(super) fn validate<'a>(args: &[Val<'a>], work: &Work) -> Called<'a> {
        let [Val::Opaque(Opaque::Format(format)), text] = args else { return None };
        let text = text.as_str()?;
        // Each problem may repeat the text.
        if let Err(e) = work.bytes(text.len().saturating_mul(4)) {
            return Some(Err(e));
        }
        let problems = (format.problems)(text);
        Some(Ok(match problems.is_empty() {
            true => Val::Optional(None),
            false => Val::some(Val::list(problems.into_iter().map(Val::text).collect())),
        }))
    }
}
