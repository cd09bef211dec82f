//! Service accounts as users: their tokens are valid as long as what they are about is there.

use super::State;
use crate::meta;
use crate::status::Failure;
use crate::store::{Key, Object, Resource};
use crate::tokens::{Bound, BoundKind, Claims, ISSUER, is_own};
use crate::user::User;
use crdgen_core::go::time::Time;
use std::fmt;
use std::sync::Arc;

/// Whose token a text is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unknown {
    /// It is not a token of this server that is valid now.
    Token,
    /// It is a valid token about something that is gone.
    Gone(Gone),
}

/// What is gone that a token is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Gone {
    Account(String),
    OtherAccount {
        found: String,
        claimed: String,
    },
    Deleted {
        namespace: String,
        name: String,
    },
    /// The object to which the token is bound.
    Bound,
    OtherBound {
        kind: BoundKind,
        found: String,
        claimed: String,
    },
}

impl fmt::Display for Gone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Gone::Account(name) => f.write_str(&Failure::not_found("serviceaccounts", "", name).message),
            Gone::OtherAccount { found, claimed } => {
                write!(f, "service account UID ({found}) does not match claim ({claimed})")
            }
            Gone::Deleted { namespace, name } => {
                write!(f, "service account {namespace}/{name} has been deleted")
            }
            Gone::Bound => f.write_str("service account token has been invalidated"),
            Gone::OtherBound { kind, found, claimed } => {
                let kind = kind.text();
                write!(f, "{kind} UID ({found}) does not match service account {kind} ref claim ({claimed})")
            }
        }
    }
}

/// What a client sends as a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sent {
    Account(User),
    /// A token of this server that is not valid any more.
    Invalid,
    /// Something else.
    Other,
}

/// How long an object that is being deleted counts as there, in seconds.
const LEEWAY: i64 = 60;

impl State {
    /// Who sends a token for this server.
    pub(crate) fn sender(&self, token: &str) -> Sent {
        match self.account(token, &[ISSUER]) {
            Ok((user, _)) => Sent::Account(user),
            Err(Unknown::Gone(_)) => Sent::Invalid,
            Err(Unknown::Token) if is_own(token) => Sent::Invalid,
            Err(Unknown::Token) => Sent::Other,
        }
    }

    /// The service account of a token for one of these audiences, and for which of them it is.
    pub(crate) fn account(&self, token: &str, audiences: &[&str]) -> Result<(User, Vec<String>), Unknown> {
        let claims = self.tokens.claims(token, self.clock.seconds(), audiences).ok_or(Unknown::Token)?;
        self.check(&claims).map_err(Unknown::Gone)?;
        let user = claims.user();
        Ok((user, claims.audiences))
    }

    /// Checks that the account is the one of the token, and that the object is there to which the token is bound.
    fn check(&self, claims: &Claims) -> Result<(), Gone> {
        let Claims { namespace, name, uid, bound, .. } = claims;
        let account = self.found("serviceaccounts", namespace, name);
        let account = account.ok_or_else(|| Gone::Account(name.clone()))?;
        let found = meta::text(account, "uid");
        if found != uid {
            return Err(Gone::OtherAccount { found: found.to_owned(), claimed: uid.clone() });
        }
        if self.is_over(account) {
            return Err(Gone::Deleted { namespace: namespace.clone(), name: name.clone() });
        }
        let Some(Bound { kind, name, uid }) = bound else { return Ok(()) };
        let namespace = if *kind == BoundKind::Node { "" } else { namespace };
        let object = self.found(kind.plural(), namespace, name).ok_or(Gone::Bound)?;
        let found = meta::text(object, "uid");
        if found != uid {
            return Err(Gone::OtherBound { kind: *kind, found: found.to_owned(), claimed: uid.clone() });
        }
        if self.is_over(object) { Err(Gone::Bound) } else { Ok(()) }
    }

    fn found(&self, plural: &str, namespace: &str, name: &str) -> Option<&Arc<Object>> {
        self.store.get(&Resource::new("", plural), &Key::new(namespace, name))
    }

    /// Whether an object should have been gone for some time.
    fn is_over(&self, object: &Object) -> bool {
        let deleted = Time::parse(meta::text(object, "deletionTimestamp"));
        deleted.is_some_and(|time| time.seconds < self.clock.seconds() - LEEWAY)
    }
}
