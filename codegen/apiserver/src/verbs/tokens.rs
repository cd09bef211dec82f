//! Makes tokens of service accounts.

use super::Call;
use crate::answer::Answer;
use crate::meta::{self, map};
use crate::status::{Failure, Field, Mistake};
use crate::store::{Key, Resource};
use crate::tokens::{Bound, BoundKind, Claims, ISSUER};
use crdgen_core::GroupVersion;
use crdgen_core::diag::Kind;
use crdgen_core::go;
use crdgen_core::go::time::Time;
use crdgen_core::value::{Map, Value};

/// The shortest and the longest time for which a token is valid.
const SHORTEST: i64 = 600;
const LONGEST: i64 = 1 << 32;
/// How long a token is valid if the request does not say it.
const USUAL: i64 = 3600;
const GROUP: &str = "authentication.k8s.io";

impl Call<'_> {
    pub(super) fn token(&mut self, sent: Value) -> Result<Answer, Failure> {
        let (name, namespace) = (self.path.name.clone(), self.path.namespace.clone());
        self.check_names(&sent)?;
        let account = self.live()?;
        let uid = meta::text(&account, "uid");
        let sent_uid = meta::text(&sent, "uid");
        if !sent_uid.is_empty() && sent_uid != uid {
            let why = format!(
                "the UID in the token request ({sent_uid}) does not match the UID of the service account ({uid})"
            );
            return Err(Failure::conflict("TokenRequest", GROUP, &name, &why));
        }
        let spec = sent.get("spec").cloned().unwrap_or_default();
        let lasts = lasts(&spec)?;
        let audiences = audiences(&spec);
        let reference = spec.get("boundObjectRef").filter(|it| !it.is_null());
        let bound = reference.map(|reference| self.bound(reference)).transpose()?;
        let node = bound.as_ref().and_then(|bound| self.node(bound));
        let now = self.state.clock.seconds();
        let time = |seconds| Time { seconds, nanos: 0, offset: 0 }.rfc3339_nano();
        let mut answer = map([
            ("apiVersion", "authentication.k8s.io/v1".into()),
            ("kind", "TokenRequest".into()),
            ("metadata", sent.get("metadata").cloned().unwrap_or_else(|| Value::Map(Map::new()))),
            (
                "spec",
                map([
                    ("audiences", audiences.clone().into()),
                    ("boundObjectRef", reference.cloned().unwrap_or_default()),
                    ("expirationSeconds", Value::Int(lasts)),
                ]),
            ),
        ]);
        for (field, text) in [
            ("name", name.as_str()),
            ("namespace", &namespace),
            ("uid", uid),
            ("creationTimestamp", &time(now)),
        ] {
            meta::set(&mut answer, field, Some(text.into()));
        }
        let mut answer = self.admit_action(&name, &answer)?;
        let valid = (now, now.saturating_add(lasts));
        let id = self.state.random.uid();
        let claims = Claims { namespace, name, uid: uid.to_owned(), bound, node, audiences, id, valid };
        let status = map([
            ("token", self.state.tokens.token(&claims).into()),
            ("expirationTimestamp", time(valid.1).into()),
        ]);
        if let Value::Map(answer) = &mut answer {
            answer.insert("status", status);
        }
        Ok(Answer { code: 201, ..Answer::value(answer) })
    }

    /// A request may name its service account once more.
    fn check_names(&self, sent: &Value) -> Result<(), Failure> {
        let (name, namespace) = (&self.path.name, &self.path.namespace);
        for (field, wanted) in [("name", name), ("namespace", namespace)] {
            let found = meta::text(sent, field);
            if !found.is_empty() && found != wanted {
                let why = format!("must match the service account {field} if specified");
                let field = Field::from("metadata").child(field);
                return Err(invalid(name, Mistake::invalid(field, &found.into(), &why)));
            }
        }
        Ok(())
    }

    /// The object that a token is bound to, as the token names it.
    fn bound(&self, reference: &Value) -> Result<Bound, Failure> {
        let GroupVersion { group, version } = GroupVersion::of(reference.text("apiVersion"));
        let (kind, name) = (reference.text("kind"), reference.text("name"));
        let bound = BoundKind::ALL.into_iter().find(|it| group.is_empty() && it.kind() == kind);
        let Some(bound) = bound else {
            let of = format!("{group}/{version}, Kind={kind}");
            return Err(Failure::bad_request(format!("cannot bind token to object of type {of}")));
        };
        let plural = bound.plural();
        let namespace = if bound == BoundKind::Node { "" } else { self.path.namespace.as_str() };
        let found = self.state.store.get(&Resource::new("", plural), &Key::new(namespace, name));
        let found = found.ok_or_else(|| Failure::not_found(plural, "", name))?;
        let account = &self.path.name;
        if bound == BoundKind::Pod
            && found.get("spec").map_or("", |spec| spec.text("serviceAccountName")) != account
        {
            let account = go::quote(account);
            let why = format!(
                "cannot bind token for serviceaccount {account} to pod running with different serviceaccount name."
            );
            return Err(Failure::bad_request(why));
        }
        let (uid, wanted) = (meta::text(found, "uid"), reference.text("uid"));
        if !wanted.is_empty() && wanted != uid {
            let why = format!(
                "the UID in the bound object reference ({wanted}) does not match the UID in record. The object might have been \
                 deleted and then recreated"
            );
            return Err(Failure::conflict(kind, group, name, &why));
        }
        Ok(Bound { kind: bound, name: name.to_owned(), uid: uid.to_owned() })
    }

    /// The node of the pod to which a token is bound.
    fn node(&self, bound: &Bound) -> Option<Bound> {
        if bound.kind != BoundKind::Pod {
            return None;
        }
        let found = |plural, namespace: &str, name: &str| {
            self.state.store.get(&Resource::new("", plural), &Key::new(namespace, name))
        };
        let pod = found("pods", &self.path.namespace, &bound.name)?;
        let name = pod.get("spec").map(|spec| spec.text("nodeName")).filter(|name| !name.is_empty())?;
        let uid = found("nodes", "", name).map_or("", |node| meta::text(node, "uid"));
        Some(Bound { kind: BoundKind::Node, name: name.to_owned(), uid: uid.to_owned() })
    }
}

/// For how many seconds a token is valid.
fn lasts(spec: &Value) -> Result<i64, Failure> {
    let lasts = spec.get("expirationSeconds").and_then(Value::as_int).unwrap_or(USUAL);
    let limit = match lasts {
        ..SHORTEST => "less than 10 minutes",
        _ if lasts > LONGEST => "larger than 2^32 seconds",
        _ => return Ok(lasts),
    };
    let why = format!("{lasts}: may not specify a duration {limit}");
    Err(invalid("", Mistake::new("spec.expirationSeconds", Kind::Invalid, why)))
}

/// For whom a token is. Without others, it is for the server.
fn audiences(spec: &Value) -> Vec<String> {
    let found = spec.get("audiences").and_then(Value::as_list).unwrap_or_default();
    let found: Vec<String> = found.iter().filter_map(Value::as_str).map(str::to_owned).collect();
    if found.is_empty() { vec![ISSUER.to_owned()] } else { found }
}

fn invalid(name: &str, mistake: Mistake) -> Failure {
    Failure::invalid_field("TokenRequest", GROUP, name, mistake)
}
