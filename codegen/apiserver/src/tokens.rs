//! Tokens of service accounts: JSON Web Tokens that this server signs, and recognizes.
//!
//! They are signed with a secret of the server (HS256), not with a key whose other half others know: only the server has to
//! recognize them, and a seed gives the same tokens again.

use crate::base64;
use crate::meta::{map, own};
use crate::user::User;
use crdgen_core::json;
use crdgen_core::value::Value;
use sha2::{Digest, Sha256};

/// The name of the server in its tokens, which is also the audience of tokens for the server itself.
pub(crate) const ISSUER: &str = "https://kubernetes.default.svc";

const BLOCK: usize = 64;

/// Makes tokens.
#[derive(Clone)]
pub(crate) struct Tokens {
    secret: [u8; 32],
    /// Whether clients need no token, so that each text is one.
    is_open: bool,
}

impl std::fmt::Debug for Tokens {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tokens").finish_non_exhaustive()
    }
}

/// What a token says.
#[derive(Clone, Debug)]
pub(crate) struct Claims {
    pub(crate) namespace: String,
    pub(crate) name: String,
    pub(crate) uid: String,
    /// The kind, the name and the uid of the object to which the token is bound. A token stays valid after it is gone.
    pub(crate) bound: Option<[String; 3]>,
    pub(crate) audiences: Vec<String>,
    pub(crate) id: String,
    /// The seconds since 1970 from which the token is valid, and until which.
    pub(crate) valid: (i64, i64),
}

impl Tokens {
    /// Tokens that everybody who knows the seed can make.
    pub(crate) fn of_seed(seed: u64) -> Tokens {
        Tokens { secret: Sha256::digest(format!("tokens of {seed}")).into(), is_open: true }
    }

    /// Tokens that no other program can make.
    #[cfg(feature = "tls")]
    pub(crate) fn secret(secret: &[u8]) -> Tokens {
        Tokens { secret: Sha256::digest(secret).into(), is_open: false }
    }

    pub(crate) fn token(&self, claims: &Claims) -> String {
        let header = map([("alg", "HS256".into()), ("typ", "JWT".into())]);
        let text = format!(
            "{}.{}",
            base64::write(&json_bytes(&header)),
            base64::write(&json_bytes(&claims.to_value()))
        );
        let signature = base64::write(&self.signature(text.as_bytes()));
        format!("{text}.{signature}")
    }

    /// The service account of a token that is for this server and valid at a time. `None` for any other text.
    pub(crate) fn user(&self, token: &str, now: i64) -> Option<User> {
        self.user_for(token, now, &[ISSUER]).map(|(user, _)| user)
    }

    /// The service account of a token that is for one of these audiences, and for which of them it is.
    pub(crate) fn user_for(&self, token: &str, now: i64, audiences: &[&str]) -> Option<(User, Vec<String>)> {
        let (text, signature) = token.rsplit_once('.')?;
        let right = self.signature(text.as_bytes());
        let sent = base64::read(signature)?;
        // The time of the comparison does not say where they differ.
        let differs = right.iter().zip(&sent).fold(0, |all, (a, b)| all | (a ^ b));
        if differs != 0 || sent.len() != right.len() {
            return None;
        }
        let (_, claims) = text.split_once('.')?;
        let claims = json::read(&base64::read(claims)?).ok()?;
        let number = |name: &str| claims.get(name).and_then(Value::as_int);
        let own_audiences = claims.get("aud").and_then(Value::as_list).unwrap_or_default();
        let own_audiences = own_audiences.iter().filter_map(Value::as_str);
        let found: Vec<String> =
            own_audiences.filter(|it| audiences.contains(it)).map(str::to_owned).collect();
        if !(number("nbf")?..number("exp")?).contains(&now) || found.is_empty() {
            return None;
        }
        let name = own(&claims, "sub");
        let (namespace, name) = name.strip_prefix("system:serviceaccount:")?.split_once(':')?;
        Some((User::service_account(namespace, name), found))
    }

    /// Whether a text that is not a valid token is nevertheless the administrator's: clients need no token, and it is not one of
    /// this server that is over, for others or forged.
    pub(crate) fn is_any(&self, token: &str) -> bool {
        let claims = token.split('.').nth(1).and_then(base64::read);
        let claims = claims.and_then(|claims| json::read(&claims).ok());
        self.is_open && claims.is_none_or(|claims| own(&claims, "iss") != ISSUER)
    }

    /// The signature of a text (HMAC with SHA-256).
    fn signature(&self, text: &[u8]) -> [u8; 32] {
        let mut key = [0; BLOCK];
        key[..self.secret.len()].copy_from_slice(&self.secret);
        let inner = Sha256::new().chain_update(key.map(|byte| byte ^ 0x36)).chain_update(text).finalize();
        Sha256::new().chain_update(key.map(|byte| byte ^ 0x5c)).chain_update(inner).finalize().into()
    }
}

impl Claims {
    fn to_value(&self) -> Value {
        let Claims { namespace, name, uid, bound, audiences, id, valid: (from, until) } = self;
        let account = map([("name", name.as_str().into()), ("uid", uid.as_str().into())]);
        let mut kubernetes = map([("namespace", namespace.as_str().into()), ("serviceaccount", account)]);
        if let (Some([kind, name, uid]), Value::Map(map)) = (bound, &mut kubernetes) {
            let bound = crate::meta::map([("name", name.as_str().into()), ("uid", uid.as_str().into())]);
            map.insert(kind.as_str(), bound);
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
            audiences: vec![audience.to_owned()],
            id: "2".to_owned(),
            valid: (100, 200),
        }
    }

    #[test]
    fn signs_as_other_programs_do() {
        // Computed with Python's hmac.
        let tokens = Tokens { secret: [7; 32], is_open: true };
        let expected = "8483f20ba686a944ee7b4085d898f8839cc318eb6baff7f4600c9005c57f1497";
        let found: String = tokens.signature(b"text").iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn recognizes_its_own_tokens() {
        let tokens = Tokens::of_seed(1);
        let token = tokens.token(&claims(ISSUER));
        let user = tokens.user(&token, 150).expect("a user");
        assert_eq!(user.name, "system:serviceaccount:default:robot");
        assert!(user.groups.contains(&"system:serviceaccounts:default".to_owned()));
        for time in [99, 200, 1000] {
            assert_eq!(tokens.user(&token, time), None, "{time}");
        }
        assert_eq!(tokens.user(&tokens.token(&claims("other")), 150), None);
        assert!(tokens.is_any("secret") && !tokens.is_any(&token) && !tokens.is_any(&format!("{token}A")));
        let found = tokens.user_for(&tokens.token(&claims("other")), 150, &["other", "more"]);
        assert_eq!(found.map(|(_, audiences)| audiences), Some(vec!["other".to_owned()]));
        assert_eq!(Tokens::of_seed(2).user(&token, 150), None);
        let (rest, _) = token.rsplit_once('.').expect("a signature");
        for wrong in
            [rest.to_owned(), format!("{rest}."), format!("{token}A"), "a.b.c".to_owned(), String::new()]
        {
            assert_eq!(tokens.user(&wrong, 150), None, "{wrong}");
        }
    }
}
