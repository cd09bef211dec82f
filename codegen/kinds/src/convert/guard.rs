//! What a webhook checks of what it restores. Whoever may write an object may also write its annotations, and the server does
//! not check an object again after it is converted. So without these checks, a user could bring any value into the other
//! version, and values into the status, which only the status subresource may change.

use super::stash::Stash;
use crate::Problems;
use crate::objects::CompiledKind;
use crdgen_core::server::Server;
use crdgen_runtime::descriptions::each_of;
use crdgen_runtime::diag::Diags;
use crdgen_runtime::ir::Crd;
use crdgen_runtime::value::{Map, Value};
use sha2::{Digest, Sha256};
use std::fmt;
use std::sync::OnceLock;

/// The function that returns the CRD of a version.
type Definition = fn() -> Result<Crd, Problems>;

/// Checks what is restored.
#[derive(Debug)]
pub struct Guard {
    key: Option<Key>,
    versions: Vec<Version>,
}

/// A version, whose schema is compiled when it is needed for the first time.
#[derive(Debug)]
struct Version {
    name: &'static str,
    definition: Definition,
    /// `None` if the CRD has mistakes.
    kind: OnceLock<Option<CompiledKind>>,
}

impl Guard {
    pub(super) fn new(key: Option<Key>, all: impl Iterator<Item = (&'static str, Definition)>) -> Guard {
        let mut versions: Vec<Version> = Vec::new();
        for (name, definition) in all {
            if !versions.iter().any(|version| version.name == name) {
                versions.push(Version { name, definition, kind: OnceLock::new() });
            }
        }
        Guard { key, versions }
    }

    fn kind(&self, version: &str) -> Option<&CompiledKind> {
        let version = self.versions.iter().find(|it| it.name == version)?;
        version.kind.get_or_init(|| compile(version.definition)).as_ref()
    }

    /// Whether only the status subresource may change the status in a version.
    fn protects_status(&self, version: &str) -> bool {
        let versions = self.kind(version).map(|kind| &kind.crd().spec.versions);
        versions.and_then(|all| all.first()).is_none_or(|version| {
            version.body.subresources.as_ref().is_some_and(|subresources| subresources.status)
        })
    }

    /// Drops the values of the status, unless a webhook with the same key has kept them for this object.
    pub(super) fn admit(&self, stash: &mut Stash, metadata: &Map<Value>) {
        let seal = stash.seal.take();
        let Some(status) = stash.status() else { return };
        let is_sealed = match (&self.key, seal) {
            (Some(key), Some(seal)) => key.seal(metadata, &status).is_some_and(|own| own.is(&seal)),
            _ => false,
        };
        if !is_sealed {
            stash.drop_status(|version| self.protects_status(version));
        }
    }

    /// Seals the values of the status that are kept in an object. Without a key, drops them, because they would not be
    /// restored.
    pub(super) fn seal(&self, stash: &mut Stash, metadata: &Map<Value>) {
        let Some(status) = stash.status() else { return };
        match self.key.as_ref().and_then(|key| key.seal(metadata, &status)) {
            Some(seal) => stash.seal = Some(seal.to_string()),
            None => stash.drop_status(|version| self.protects_status(version)),
        }
    }

    /// Whether an object is valid in a version.
    pub(super) fn is_valid(&self, version: &str, object: &Value) -> bool {
        self.kind(version).is_some_and(|kind| kind.is_valid(object))
    }

    /// Returns the errors of an object in a version. `None` if the CRD of the version has mistakes.
    pub(super) fn errors(&self, version: &str, object: &Value) -> Option<Diags> {
        let result = self.kind(version)?.validate_value(object);
        Some(result.err().map(|invalid| invalid.errors).unwrap_or_default())
    }
}

/// Compiles the schema of a version.
fn compile(definition: Definition) -> Option<CompiledKind> {
    let mut crd = definition().ok()?;
    for version in &mut crd.spec.versions {
        (version.served, version.storage) = (true, true);
    }
    // The webhook itself is the conversion.
    crd.spec.conversion = None;
    // A rule about changes cannot be checked, because the object before the change is not known.
    each_of(&mut crd, &mut |schema, _| schema.rules.retain(|rule| rule.optional_old_self != Some(true)));
    CompiledKind::established(crd, Server::NEWEST.minor()).ok()
}

/// The secret of a webhook.
#[derive(Clone)]
pub(super) struct Key([u8; BLOCK]);

/// The length of a block of SHA-256.
const BLOCK: usize = 64;

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key")
    }
}

impl Key {
    pub(super) fn new(secret: &[u8]) -> Key {
        let digest = Sha256::digest(secret);
        let secret = if secret.len() > BLOCK { digest.as_slice() } else { secret };
        let mut block = [0; BLOCK];
        block.iter_mut().zip(secret).for_each(|(to, from)| *to = *from);
        Key(block)
    }

    /// Seals a text for an object: HMAC with SHA-256. `None` if the object has no `uid`, which only the server can give.
    fn seal(&self, metadata: &Map<Value>, text: &str) -> Option<Seal> {
        let uid = metadata.get("uid").and_then(Value::as_str).filter(|uid| !uid.is_empty())?;
        let inner = self.hash(0x36, &[uid.as_bytes(), b"\0", text.as_bytes()]);
        Some(Seal(self.hash(0x5c, &[&inner])))
    }

    fn hash(&self, pad: u8, parts: &[&[u8]]) -> Vec<u8> {
        let mut hash = Sha256::new();
        hash.update(self.0.map(|byte| byte ^ pad));
        parts.iter().for_each(|part| hash.update(part));
        hash.finalize().to_vec()
    }
}

/// The proof that a webhook with the same key has written something.
struct Seal(Vec<u8>);

impl Seal {
    /// Whether a text is this seal. Takes the same time for each text, so that the seal cannot be found by trying.
    fn is(&self, text: &str) -> bool {
        let own = self.to_string();
        let differences = own.bytes().zip(text.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
        own.len() == text.len() && differences == 0
    }
}

impl fmt::Display for Seal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::Key;
    use crdgen_runtime::value::{Map, Value};

    /// The second test case of RFC 4231, with its text after the `uid` and the separator.
    #[test]
    fn seals_are_hmacs() {
        let inner = Key::new(b"Jefe").hash(0x36, &[b"what do ya want ", b"for nothing?"]);
        let outer = Key::new(b"Jefe").hash(0x5c, &[&inner]);
        let hex: String = outer.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    }

    #[test]
    fn seals_belong_to_an_object_and_a_text() {
        let object = |uid: &str| Map::from_iter([("uid", Value::from(uid))]);
        let seal = |key: &str, uid: &str, text: &str| {
            Key::new(key.as_bytes()).seal(&object(uid), text).map(|seal| seal.to_string())
        };
        let one = seal("k", "u", "t").expect("a uid");
        assert!(Key::new(b"k").seal(&object("u"), "t").expect("a uid").is(&one));
        for other in [seal("l", "u", "t"), seal("k", "v", "t"), seal("k", "u", "s")] {
            assert!(other.is_some_and(|other| other != one));
        }
        assert_eq!(seal("k", "", "t"), None);
        assert!(!Key::new(b"k").seal(&object("u"), "t").expect("a uid").is(""));
    }
}
