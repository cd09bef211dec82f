//! What expressions ask an authorizer. The answers may need a cluster, which no value can keep: a question without an answer ends
//! the evaluation (`Error::needed`), and it begins again when there is one.

use crate::meta::map;
use crdgen_core::cel::value::{Error, Object, Opaque, Outcome, Val};
use crdgen_core::names;
use crdgen_core::value::Value;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// Something that somebody wants to do. Texts are empty if an expression does not name what they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Access {
    /// Who: `userInfo`, as a review has it.
    pub user: Value,
    /// What is done.
    pub verb: String,
    /// The path, if it is not about objects.
    pub path: String,
    /// The group of the resource.
    pub group: String,
    /// The name of the resource in URLs.
    pub resource: String,
    /// The name of the subresource.
    pub subresource: String,
    /// The namespace.
    pub namespace: String,
    /// The name of the object.
    pub name: String,
    /// The selector of fields.
    pub field_selector: String,
    /// The selector of labels.
    pub label_selector: String,
}

impl Access {
    /// Returns the text of a field by its name in rules of permissions.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        Some(match name {
            "user" => self.user.text("username"),
            "verb" => &self.verb,
            "path" => &self.path,
            "group" => &self.group,
            // Expressions ask about all versions.
            "version" => {
                if self.path.is_empty() {
                    "*"
                } else {
                    ""
                }
            }
            "resource" => &self.resource,
            "subresource" => &self.subresource,
            "namespace" => &self.namespace,
            "name" => &self.name,
            "fieldSelector" => &self.field_selector,
            "labelSelector" => &self.label_selector,
            _ => return None,
        })
    }
}

/// What an authorizer says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Permission {
    /// Whether it is allowed.
    pub is_allowed: bool,
    /// Why.
    pub reason: String,
    /// Why there is no answer. Empty if there is one.
    pub error: String,
}

/// What was asked, with the answers.
#[derive(Debug)]
pub(super) struct Questions {
    /// The number of the first one in errors.
    first: usize,
    asked: Mutex<Vec<(Access, Option<Permission>)>>,
}

impl Questions {
    pub(super) fn new(first: usize) -> Arc<Questions> {
        Arc::new(Questions { first, asked: Mutex::default() })
    }

    fn answer(&self, access: &Access) -> Result<Permission, Error> {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let known = asked.iter().find_map(|(it, permission)| permission.as_ref().filter(|_| it == access));
        if let Some(permission) = known {
            return Ok(permission.clone());
        }
        asked.push((access.clone(), None));
        Err(Error::needed(self.first + asked.len() - 1))
    }

    /// Answers the question with the number of an error.
    pub(super) fn learn(&self, number: usize, decide: impl FnOnce(&Access) -> Permission) {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let question = number.checked_sub(self.first).and_then(|index| asked.get_mut(index));
        if let Some((access, permission)) = question {
            *permission = Some(decide(access));
        }
    }
}

/// The types of the objects by which expressions ask.
#[derive(Clone, Debug)]
enum Asking {
    Authorizer,
    Path,
    Group,
    Resource,
    Decision(Permission),
}

/// An object by which an expression asks: what it has named so far.
struct Asker {
    asking: Asking,
    access: Access,
    questions: Arc<Questions>,
}

impl fmt::Debug for Asker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Asker")
            .field("asking", &self.asking)
            .field("access", &self.access)
            .finish_non_exhaustive()
    }
}

/// The variable `authorizer`.
pub(super) fn authorizer<'v>(request: &Value, questions: &Arc<Questions>) -> Val<'v> {
    let user = request.get("userInfo").cloned().unwrap_or_default();
    value(Asking::Authorizer, Access { user, ..Access::default() }, questions)
}

/// The variable `authorizer.requestResource`.
pub(super) fn of_request<'v>(request: &Value, questions: &Arc<Questions>) -> Val<'v> {
    let text = |name: &str| request.text(name).to_owned();
    let nothing = Value::Null;
    let resource = request.get("requestResource").unwrap_or(&nothing);
    let access = Access {
        user: request.get("userInfo").cloned().unwrap_or_default(),
        group: resource.text("group").to_owned(),
        resource: resource.text("resource").to_owned(),
        subresource: text("requestSubResource"),
        namespace: text("namespace"),
        name: text("name"),
        ..Access::default()
    };
    value(Asking::Resource, access, questions)
}

fn value<'v>(asking: Asking, access: Access, questions: &Arc<Questions>) -> Val<'v> {
    let questions = Arc::clone(questions);
    Val::Opaque(Opaque::Object(Arc::new(Asker { asking, access, questions })))
}

impl Asker {
    /// The same, with one more name.
    fn with<'v>(&self, asking: Asking, change: impl FnOnce(&mut Access)) -> Outcome<'v> {
        let mut access = self.access.clone();
        change(&mut access);
        Ok(value(asking, access, &self.questions))
    }

    fn service_account(&self, namespace: &str, name: &str) -> Result<Value, Error> {
        if !names::dns1123_subdomain(name).is_empty() {
            return Err(Error::fixed("Invalid service account name"));
        }
        if !names::dns1123_label(namespace).is_empty() {
            return Err(Error::fixed("Invalid service account namespace"));
        }
        let groups =
            ["system:serviceaccounts", &format!("system:serviceaccounts:{namespace}")].map(Value::from);
        let username = format!("system:serviceaccount:{namespace}:{name}");
        Ok(map([("username", username.into()), ("groups", Value::List(groups.into()))]))
    }
}

impl Object for Asker {
    fn type_name(&self) -> &'static str {
        match self.asking {
            Asking::Authorizer => "kubernetes.authorization.Authorizer",
            Asking::Path => "kubernetes.authorization.PathCheck",
            Asking::Group => "kubernetes.authorization.GroupCheck",
            Asking::Resource => "kubernetes.authorization.ResourceCheck",
            Asking::Decision(_) => "kubernetes.authorization.Decision",
        }
    }

    fn call<'a>(&self, function: &str, args: &[Val<'a>]) -> Outcome<'a> {
        let text = |index: usize| args.get(index).and_then(Val::as_str).ok_or(Error::NO_OVERLOAD);
        match (&self.asking, function) {
            (Asking::Authorizer, "path") => match text(0)? {
                path if path.trim().is_empty() => Err(Error::fixed("path must not be empty")),
                path => self.with(Asking::Path, |access| access.path = path.to_owned()),
            },
            (Asking::Authorizer, "group") => {
                let group = text(0)?.to_owned();
                self.with(Asking::Group, |access| access.group = group)
            }
            (Asking::Authorizer, "serviceAccount") => {
                let user = self.service_account(text(0)?, text(1)?)?;
                self.with(Asking::Authorizer, |access| access.user = user)
            }
            (Asking::Group, "resource") => match text(0)? {
                resource if resource.trim().is_empty() => Err(Error::fixed("resource must not be empty")),
                resource => self.with(Asking::Resource, |access| access.resource = resource.to_owned()),
            },
            (Asking::Path | Asking::Resource, "check") => {
                let access = Access { verb: text(0)?.to_owned(), ..self.access.clone() };
                let permission = self.questions.answer(&access)?;
                Ok(value(Asking::Decision(permission), access, &self.questions))
            }
            (Asking::Resource, name) => {
                let named = text(0)?.to_owned();
                self.with(Asking::Resource, |access| match name {
                    "subresource" => access.subresource = named,
                    "namespace" => access.namespace = named,
                    "name" => access.name = named,
                    "fieldSelector" => access.field_selector = named,
                    "labelSelector" => access.label_selector = named,
                    _ => {}
                })
            }
            (Asking::Decision(permission), "allowed") => Ok(Val::Bool(permission.is_allowed)),
            (Asking::Decision(permission), "reason") => Ok(Val::text(permission.reason.clone())),
            (Asking::Decision(permission), "errored") => Ok(Val::Bool(!permission.error.is_empty())),
            (Asking::Decision(permission), "error") => Ok(Val::text(permission.error.clone())),
            _ => Err(Error::NO_OVERLOAD),
        }
    }
}
