//! Tokens of service accounts: JSON Web Tokens that this server signs, and recognizes.
//!
//! They are signed with a secret of the server (HS256), not with a key whose other half others know: only the server has to
//! recognize them, and a seed gives the same tokens again.

use crate::meta::map;
use crate::user::User;
use crdgen_core::value::Value;
use crdgen_core::{go, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// The name of the server in its tokens, which is also the audience of tokens for the server itself.
pub(crate) const ISSUER: &str = "https://kubernetes.default.svc";

const BLOCK: usize = 64;

/// Makes tokens of service accounts, and knows those of other clients.
#[derive(Clone)]
pub(crate) struct Tokens {
    secret: [u8; 32],
    clients: Clients,
}

/// Who uses the server besides service accounts.
#[derive(Clone)]
enum Clients {
    /// Everybody, without a token, so that each text is one.
    All,
    #[cfg(feature = "http")]
    WithTokens(Known),
}

/// The tokens of clients, and whose they are.
#[cfg(feature = "http")]
#[derive(Clone, Debug, Default)]
pub(crate) struct Known(Vec<(Hashed, User)>);

/// A token of which only the hash is kept.
#[cfg(feature = "http")]
#[derive(Clone, Debug)]
struct Hashed([u8; 32]);

#[cfg(feature = "http")]
impl Hashed {
    fn new(token: &[u8]) -> Hashed {
        Hashed(Sha256::digest(token).into())
    }

    /// Compares in a time that does not depend on what is equal.
    fn is(&self, other: &Hashed) -> bool {
        self.0.iter().zip(other.0).fold(0, |all, (a, b)| all | (a ^ b)) == 0
    }
}

#[cfg(feature = "http")]
impl Known {
    pub(crate) fn add(&mut self, token: &str, user: User) {
        self.0.push((Hashed::new(token.as_bytes()), user));
    }

    /// Whose token it is.
    pub(crate) fn user(&self, token: &[u8]) -> Option<&User> {
        let sent = Hashed::new(token);
        // All tokens are compared, so that the time does not say which one is right.
        self.0.iter().fold(None, |found, (known, user)| if known.is(&sent) { Some(user) } else { found })
    }
}

/// A kind of objects to which tokens are bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BoundKind {
    Secret,
    Pod,
    Node,
}

/// The object to which a token is bound. The token is valid as long as it is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bound {
    pub(crate) kind: BoundKind,
    pub(crate) name: String,
    pub(crate) uid: String,
}

impl BoundKind {
    pub(crate) const ALL: [BoundKind; 3] = [BoundKind::Secret, BoundKind::Pod, BoundKind::Node];

    /// The name in tokens and in messages.
    pub(crate) fn text(self) -> &'static str {
        match self {
            BoundKind::Secret => "secret",
            BoundKind::Pod => "pod",
            BoundKind::Node => "node",
        }
    }

    pub(crate) fn kind(self) -> &'static str {
        match self {
            BoundKind::Secret => "Secret",
            BoundKind::Pod => "Pod",
            BoundKind::Node => "Node",
        }
    }

    pub(crate) fn plural(self) -> &'static str {
        match self {
            BoundKind::Secret => "secrets",
            BoundKind::Pod => "pods",
            BoundKind::Node => "nodes",
        }
    }
}

impl std::fmt::Debug for Tokens {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tokens").finish_non_exhaustive()
    }
}

/// What a token says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Claims {
    pub(crate) namespace: String,
    pub(crate) name: String,
    pub(crate) uid: String,
    pub(crate) bound: Option<Bound>,
    /// The node of the pod to which the token is bound.
    pub(crate) node: Option<Bound>,
    pub(crate) audiences: Vec<String>,
    pub(crate) id: String,
    /// The seconds since 1970 from which the token is valid, and until which.
    pub(crate) valid: (i64, i64),
}

impl Tokens {
    /// Tokens that everybody who knows the seed can make.
    pub(crate) fn of_seed(seed: u64) -> Tokens {
        Tokens { secret: Sha256::digest(format!("tokens of {seed}")).into(), clients: Clients::All }
    }

    /// Tokens that no other program can make, and those of clients.
    #[cfg(feature = "http")]
    pub(crate) fn secret(secret: &[u8], known: Known) -> Tokens {
        Tokens { secret: Sha256::digest(secret).into(), clients: Clients::WithTokens(known) }
    }

    pub(crate) fn token(&self, claims: &Claims) -> String {
        let header = map([("alg", "HS256".into()), ("typ", "JWT".into())]);
        let text = format!(
            "{}.{}",
            go::base64_raw_url_encode(&json_bytes(&header)),
            go::base64_raw_url_encode(&json_bytes(&claims.to_value()))
        );
        let signature = go::base64_raw_url_encode(&self.signature(text.as_bytes()));
        format!("{text}.{signature}")
    }

    /// What a token of this server says that is for one of these audiences, and valid at a time, as far as the token says it. The
    /// audiences are those that were asked for. `None` for any other text.
    pub(crate) fn claims(&self, token: &str, now: i64, audiences: &[&str]) -> Option<Claims> {
        let (text, signature) = token.rsplit_once('.')?;
        let right = self.signature(text.as_bytes());
        let sent = go::base64_raw_url_decode(signature)?;
        // The time of the comparison does not say where they differ.
        let differs = right.iter().zip(&sent).fold(0, |all, (a, b)| all | (a ^ b));
        if differs != 0 || sent.len() != right.len() {
            return None;
        }
        let (_, claims) = text.split_once('.')?;
        let claims = json::read(&go::base64_raw_url_decode(claims)?).ok()?;
        let number = |name: &str| claims.get(name).and_then(Value::as_int);
        let own_audiences = claims.get("aud").and_then(Value::as_list).unwrap_or_default();
        let own_audiences = own_audiences.iter().filter_map(Value::as_str);
        let found: Vec<String> =
            own_audiences.filter(|it| audiences.contains(it)).map(str::to_owned).collect();
        let valid = (number("nbf")?, number("exp")?);
        if !(valid.0..valid.1).contains(&now) || found.is_empty() {
            return None;
        }
        Claims::read(&claims, found, valid)
    }

    /// The user of a text, besides service accounts. If clients need no token, it is the administrator, except for a token of this
    /// server that is over, for others or forged.
    pub(crate) fn client(&self, token: &str) -> Option<User> {
        match &self.clients {
            Clients::All => (!is_own(token)).then(User::admin),
            #[cfg(feature = "http")]
            Clients::WithTokens(known) => known.user(token.as_bytes()).cloned(),
        }
    }

    /// The signature of a text (HMAC with SHA-256).
    fn signature(&self, text: &[u8]) -> [u8; 32] {
        let mut key = [0; BLOCK];
        key[..self.secret.len()].copy_from_slice(&self.secret);
        let inner = Sha256::new().chain_update(key.map(|byte| byte ^ 0x36)).chain_update(text).finalize();
        Sha256::new().chain_update(key.map(|byte| byte ^ 0x5c)).chain_update(inner).finalize().into()
    }
}

/// Whether a text says that it is a token of this server.
pub(crate) fn is_own(token: &str) -> bool {
    let claims = token.split('.').nth(1).and_then(go::base64_raw_url_decode);
    let claims = claims.and_then(|claims| json::read(&claims).ok());
    claims.is_some_and(|claims| claims.text("iss") == ISSUER)
}

impl Claims {
    fn read(claims: &Value, audiences: Vec<String>, valid: (i64, i64)) -> Option<Claims> {
        let kubernetes = claims.get("kubernetes.io")?;
        let account = kubernetes.get("serviceaccount")?;
        let of_kind = |kind: BoundKind| {
            let object = kubernetes.get(kind.text())?;
            Some(Bound { kind, name: object.text("name").to_owned(), uid: object.text("uid").to_owned() })
        };
        let bound = BoundKind::ALL.into_iter().find_map(of_kind);
        let is_pod = bound.as_ref().is_some_and(|bound| bound.kind == BoundKind::Pod);
        let node = of_kind(BoundKind::Node).filter(|_| is_pod);
        Some(Claims {
            namespace: kubernetes.text("namespace").to_owned(),
            name: account.text("name").to_owned(),
            uid: account.text("uid").to_owned(),
            bound,
            node,
            audiences,
            id: claims.text("jti").to_owned(),
            valid,
        })
    }

    /// The service account as a user, with what the token says about its pod and its node.
    pub(crate) fn user(&self) -> User {
        let Claims { namespace, name, uid, bound, node, id, .. } = self;
        let mut extra = BTreeMap::new();
        let mut add = |key: &str, value: &str| {
            if !value.is_empty() {
                extra.insert(format!("authentication.kubernetes.io/{key}"), vec![value.to_owned()]);
            }
        };
        for Bound { kind, name, uid } in bound.iter().chain(node) {
            if *kind != BoundKind::Secret {
                add(&format!("{}-name", kind.text()), name);
                add(&format!("{}-uid", kind.text()), uid);
            }
        }
        add("credential-id", &format!("JTI={id}"));
        User { uid: uid.clone(), extra, ..User::service_account(namespace, name) }
    }

    fn to_value(&self) -> Value {
        let Claims { namespace, name, uid, bound, node, audiences, id, valid: (from, until) } = self;
        let account = map([("name", name.as_str().into()), ("uid", uid.as_str().into())]);
        let mut kubernetes = map([("namespace", namespace.as_str().into()), ("serviceaccount", account)]);
        for Bound { kind, name, uid } in bound.iter().chain(node) {
            if let Value::Map(kubernetes) = &mut kubernetes {
                let bound = map([("name", name.as_str().into()), ("uid", uid.as_str().into())]);
                kubernetes.insert(kind.text(), bound);
            }
        }
        map([
            ("aud", audiences.clone().into()),
            ("exp", Value::Int(*until)),
            ("iat", Value::Int(*from)),
            ("iss", ISSUER.into()),
            ("jti", id.as_str().into()),
            ("kubernetes.io", kubernetes),
            ("nbf", Value::Int(*from)),
            ("sub", format!("system:serviceaccount:{namespace}:{name}").into()),
        ])
    }
}

fn json_bytes(value: &Value) -> Vec<u8> {
    json::to_string(value).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claims(audience: &str) -> Claims {
        Claims {
            namespace: "default".to_owned(),
            name: "robot".to_owned(),
            uid: "1".to_owned(),
            bound: None,
            node: None,
            audiences: vec![audience.to_owned()],
            id: "2".to_owned(),
            valid: (100, 200),
        }
    }

    #[test]
    fn signs_as_other_programs_do() {
        // Computed with Python's hmac.
        let tokens = Tokens { secret: [7; 32], ..Tokens::of_seed(0) };
        let expected = "8483f20ba686a944ee7b4085d898f8839cc318eb6baff7f4600c9005c57f1497";
        let found: String = tokens.signature(b"text").iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn recognizes_its_own_tokens() {
        let tokens = Tokens::of_seed(1);
        let token = tokens.token(&claims(ISSUER));
        let found = |tokens: &Tokens, token: &str, time| tokens.claims(token, time, &[ISSUER]);
        assert_eq!(found(&tokens, &token, 150), Some(claims(ISSUER)));
        let bound = Bound { kind: BoundKind::Pod, name: "p".to_owned(), uid: "3".to_owned() };
        let bound = Claims { bound: Some(bound), ..claims(ISSUER) };
        assert_eq!(found(&tokens, &tokens.token(&bound), 150), Some(bound));
        for time in [99, 200, 1000] {
            assert_eq!(found(&tokens, &token, time), None, "{time}");
        }
        assert_eq!(found(&tokens, &tokens.token(&claims("other")), 150), None);
        assert_eq!(tokens.client("secret"), Some(User::admin()));
        assert_eq!((tokens.client(&token), tokens.client(&format!("{token}A"))), (None, None));
        let other = tokens.claims(&tokens.token(&claims("other")), 150, &["other", "more"]);
        assert_eq!(other.map(|claims| claims.audiences), Some(vec!["other".to_owned()]));
        assert_eq!(found(&Tokens::of_seed(2), &token, 150), None);
        let (rest, _) = token.rsplit_once('.').expect("a signature");
        for wrong in
            [rest.to_owned(), format!("{rest}."), format!("{token}A"), "a.b.c".to_owned(), String::new()]
        {
            assert_eq!(found(&tokens, &wrong, 150), None, "{wrong}");
        }
    }
}
