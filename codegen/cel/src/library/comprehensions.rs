//! What the macros with two variables call.

use super::map;

library! {
    /// Comprehensions with two variables.
    pub TWO_VARIABLES = "two-variables" since 32;
    "cel.@mapInsert" = Call(run::insert) => { "@mapInsert_map_key_value" global (map(&A, &B), A, B) -> map(&A, &B), Unit; }
    "cel.@mapInsert" = Call(run::insert_all) => { "@mapInsert_map_map" global (map(&A, &B), map(&A, &B)) -> map(&A, &B), Unit; }
}

#[cfg(feature = "eval")]
mod run {
    use crate::funcs::Called;
    use crate::value::{Val, Work};

    pub(super) fn insert<'a>(args: &[Val<'a>], work: &Work) -> Called<'a> {
        let [Val::Map(map), key, value] = args else { return None };
        let mut map = map.clone();
        Some(map.insert(key.clone(), value.clone(), work).map(|()| Val::Map(map)))
    }

    pub(super) fn insert_all<'a>(args: &[Val<'a>], work: &Work) -> Called<'a> {
        let [Val::Map(map), Val::Map(more)] = args else { return None };
        let mut map = map.clone();
        for (key, value) in more.entries() {
            if let Err(e) = value.and_then(|value| map.insert(key, value, work)) {
                return Some(Err(e));
            }
        }
        Some(Ok(Val::Map(map)))
    }
}
