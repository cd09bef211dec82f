//! Functions on named formats.

use std::sync::Arc;

use crate::value::{FORMATS, Opaque, Val, Work};

use super::Called;

fn find<'a>(key: &str) -> Option<Val<'a>> {
    FORMATS.iter().find(|f| f.key == key).map(|f| Val::Opaque(Opaque::Format(f)))
}

pub(super) fn constant<'a>(key: &str) -> Called<'a> {
    find(key).map(Ok)
}

pub(super) fn named<'a>(args: &[Val<'a>]) -> Called<'a> {
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
