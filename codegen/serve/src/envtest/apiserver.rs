//! `kube-apiserver`: the server with the flags that envtest passes.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::{fmt, io};

use crdgen_apiserver::{Access, Certificates, Server, Tls, User, listen};
use crdgen_files::input;
use crdgen_files::{Error, output};

use super::flags::Flags;
use super::gates::{Gates, WrongGates};
use crate::runtime;

const HELP: &str = "kube-apiserver of crdgen: an API server in memory, for tests.

Usage:
  kube-apiserver [flags]

Flags:
      --anonymous-auth                 false: rejects requests without a certificate or a token (default true)
      --authorization-mode strings     RBAC: roles and their bindings decide who may do what. Without it, everybody may do everything
      --bind-address ip                the address to listen on (default 127.0.0.1)
      --cert-dir string                the folder of apiserver.crt and apiserver.key, which are made if they are missing
      --disable-admission-plugins strings
                                       NamespaceLifecycle: accepts objects in namespaces that do not exist. Others change nothing
      --client-ca-file string          the authority of client certificates: the common name is the user, organizations are groups
      --feature-gates strings          they change nothing
      --secure-port int                the port for HTTPS (default 6443)
      --tls-cert-file string           the certificate of the server, instead of the one in --cert-dir
      --tls-private-key-file string    its key
      --token-auth-file string         bearer tokens with their users, as CSV

Flags that name other authenticators and authorizers are errors. All other flags of kube-apiserver change nothing:
      --allow-privileged
      --etcd-servers strings
      --service-account-issuer string
      --service-account-key-file string
      --service-account-signing-key-file string
      --service-cluster-ip-range string
";

/// What a flag means here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    Used,
    /// It changes nothing that a client sees.
    Nothing,
    /// It would change who may do what.
    Refused,
    /// It may change something.
    Unknown,
}

/// Flags that change nothing that a client sees, by the beginning of their names.
const NOTHING: &[&str] = &[
    "advertise-address",
    "allow-privileged",
    "api-audiences",
    "audit-",
    "contention-profiling",
    "cors-allowed-origins",
    "delete-collection-workers",
    "disable-http2-serving",
    "enable-aggregator-routing",
    "enable-garbage-collector",
    "enable-logs-handler",
    "enable-priority-and-fairness",
    "encryption-provider-config",
    "endpoint-reconciler-type",
    "etcd-",
    "event-ttl",
    "external-hostname",
    "goaway-chance",
    "http2-max-streams-per-connection",
    "insecure-port",
    "kubelet-",
    "livez-grace-period",
    "log-",
    "logging-format",
    "max-",
    "min-request-timeout",
    "permit-",
    "profiling",
    "proxy-client-",
    "request-timeout",
    "requestheader-",
    "service-account-",
    "service-cluster-ip-range",
    "service-node-port-range",
    "shutdown-",
    "storage-",
    "tls-cipher-suites",
    "tls-min-version",
    "v",
    "vmodule",
    "watch-cache",
];

fn meaning(name: &str, value: &str) -> Meaning {
    match name {
        "authorization-mode" if modes(value).is_some() => Meaning::Used,
        "anonymous-auth"
        | "bind-address"
        | "cert-dir"
        | "client-ca-file"
        | "disable-admission-plugins"
        | "feature-gates"
        | "secure-port"
        | "tls-cert-file"
        | "tls-private-key-file"
        | "token-auth-file" => Meaning::Used,
        "authentication-config"
        | "authentication-token-webhook-config-file"
        | "authorization-config"
        | "authorization-mode"
        | "authorization-policy-file"
        | "authorization-webhook-config-file"
        | "oidc-issuer-url" => Meaning::Refused,
        _ => {
            let is_it = |known: &&str| match known.ends_with('-') {
                true => name.starts_with(*known),
                false => name == *known,
            };
            if NOTHING.iter().any(is_it) { Meaning::Nothing } else { Meaning::Unknown }
        }
    }
}

/// Who may do what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Authorization {
    /// Everybody whom the server knows may do everything.
    AlwaysAllow,
    Rbac,
}

/// The authorizers in a list. The one for nodes allows nothing, because there are no nodes. `None` if there are others.
fn modes(value: &str) -> Option<Authorization> {
    let modes: Vec<&str> = value.split(',').collect();
    let is_known = modes.iter().all(|mode| matches!(*mode, "AlwaysAllow" | "RBAC" | "Node"));
    match is_known {
        true if modes.contains(&"AlwaysAllow") => Some(Authorization::AlwaysAllow),
        true if modes.contains(&"RBAC") => Some(Authorization::Rbac),
        _ => None,
    }
}

/// Serves until the process ends.
pub(super) fn run(flags: &Flags, note: fn(fmt::Arguments<'_>)) -> Result<Option<String>, Error> {
    if flags.is_on("help") || flags.is_on("h") {
        return Ok(Some(HELP.to_owned()));
    }
    if flags.is_on("version") {
        let minor = crdgen_core::server::Server::NEWEST.minor();
        return Ok(Some(format!("Kubernetes v1.{minor}.0+crdgen\n")));
    }
    for (name, value) in flags.iter() {
        match meaning(name, value) {
            Meaning::Used | Meaning::Nothing => {}
            Meaning::Unknown => {
                note(format_args!("warning: the kube-apiserver of crdgen ignores --{name}={value}"))
            }
            Meaning::Refused => {
                return Err(Error::Argument(format!(
                    "the kube-apiserver of crdgen has no --{name}={value}: it knows client certificates, tokens and RBAC. Remove the flag, or use a real kube-apiserver for this suite"
                )));
            }
        }
    }
    let gates = Gates::read(&flags.all("feature-gates"))
        .map_err(|WrongGates(why)| Error::Argument(format!("--feature-gates: {why}")))?;
    for (name, is_on) in gates.ignored() {
        note(format_args!("warning: the kube-apiserver of crdgen ignores --feature-gates={name}={is_on}"));
    }
    let setup = Setup::new(flags)?;
    // A control plane of envtest has no controller manager.
    let mut server = Server::new().without_controller_manager();
    let disabled = flags.get("disable-admission-plugins").unwrap_or_default();
    if disabled.split(',').any(|plugin| plugin.trim() == "NamespaceLifecycle") {
        server = server.without_namespace_lifecycle();
    }
    if flags.get("authorization-mode").and_then(modes) == Some(Authorization::Rbac) {
        server = server.with_rbac();
    }
    runtime()?.block_on(setup.serve(server)).map(|()| None)
}

/// What the flags say.
struct Setup {
    address: SocketAddr,
    tls: Tls,
    access: Access,
}

impl Setup {
    fn new(flags: &Flags) -> Result<Setup, Error> {
        let wrong = |name: &str, why: &str| Error::Argument(format!("--{name}: {why}"));
        let ip = match flags.get("bind-address") {
            None => Ipv4Addr::LOCALHOST.into(),
            Some(text) => text.parse::<IpAddr>().map_err(|why| wrong("bind-address", &why.to_string()))?,
        };
        let port = match flags.get("secure-port") {
            None => 6443,
            Some("0") => {
                let why = "0 must be between 1 and 65535, inclusive. It cannot be turned off with 0";
                return Err(wrong("secure-port", why));
            }
            Some(text) => text.parse().map_err(|_| wrong("secure-port", "not a port"))?,
        };
        let address = SocketAddr::new(ip, port);
        let (chain, key) = certificate(flags, ip)?;
        let clients = flags.get("client-ca-file").map(|file| read(Path::new(file))).transpose()?;
        let tls = Tls::new(&chain, &key, clients.as_deref()).map_err(failed)?;
        let mut access = Access::new();
        match flags.get("anonymous-auth") {
            None => {}
            Some(text) => match go_bool(text) {
                Some(true) => {}
                Some(false) => access = access.without_anonymous(),
                None => return Err(wrong("anonymous-auth", &format!("`{text}` is neither true nor false"))),
            },
        }
        if let Some(file) = flags.get("token-auth-file") {
            for line in read(Path::new(file))?.lines().filter(|line| !line.trim().is_empty()) {
                let (token, user) = token(line)
                    .ok_or_else(|| wrong("token-auth-file", "each line is `token,user,uid,\"groups\"`"))?;
                access = access.token(&token, user);
            }
        }
        Ok(Setup { address, tls, access })
    }

    async fn serve(self, server: Server) -> Result<(), Error> {
        let cannot_listen = |why| Error::Argument(format!("cannot listen on {}: {why}", self.address));
        let listening = listen(server, self.address).await.map_err(cannot_listen)?;
        listening.tls(self.tls).access(self.access).serve().await;
        Ok(())
    }
}

/// A value of a switch in Go.
fn go_bool(text: &str) -> Option<bool> {
    match text {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Some(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Some(false),
        _ => None,
    }
}

fn failed(why: io::Error) -> Error {
    Error::Argument(why.to_string())
}

fn read(file: &Path) -> Result<String, Error> {
    input::read_to_string(file).map_err(Error::file(file))
}

/// The certificate of the server and its key. Without any in the folder, the server makes them there, as the real one does.
fn certificate(flags: &Flags, ip: IpAddr) -> Result<(String, String), Error> {
    if let (Some(chain), Some(key)) = (flags.get("tls-cert-file"), flags.get("tls-private-key-file")) {
        return Ok((read(Path::new(chain))?, read(Path::new(key))?));
    }
    let new = || {
        Certificates::new([ip.to_string(), "localhost".to_owned(), "127.0.0.1".to_owned()]).map_err(failed)
    };
    let Some(folder) = flags.get("cert-dir").map(PathBuf::from) else {
        let Certificates { chain, key, .. } = new()?;
        return Ok((chain, key));
    };
    let (chain, key) = (folder.join("apiserver.crt"), folder.join("apiserver.key"));
    if !chain.exists() && !key.exists() {
        let made = new()?;
        // Whoever trusts this file trusts the authority in it.
        output::write_if_changed(&chain, &format!("{}{}", made.chain, made.authority))?;
        output::write_private(&key, &made.key)?;
    }
    Ok((read(&chain)?, read(&key)?))
}

/// A line of the file with tokens: the token, the user, its uid, and groups in quotes.
fn token(line: &str) -> Option<(String, User)> {
    let (before, groups) = match line.trim().split_once('"') {
        Some((before, rest)) => (before, rest.strip_suffix('"')?),
        None => (line.trim(), ""),
    };
    let fields: Vec<&str> = before.trim_end_matches(',').split(',').map(str::trim).collect();
    let (token, user, groups) = match fields[..] {
        [token, user, _] => (token, user, groups),
        // One group needs no quotes.
        [token, user, _, group] if groups.is_empty() => (token, user, group),
        _ => return None,
    };
    let groups = groups.split(',').map(str::trim).filter(|group| !group.is_empty());
    (!token.is_empty() && !user.is_empty()).then(|| (token.to_owned(), User::new(user, groups)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_that_change_who_may_do_what_are_refused() {
        for (name, value, expected) in [
            ("secure-port", "1", Meaning::Used),
            ("authorization-mode", "RBAC", Meaning::Used),
            ("authorization-mode", "Node,RBAC", Meaning::Used),
            ("authorization-mode", "AlwaysAllow", Meaning::Used),
            ("authorization-mode", "RBAC,Webhook", Meaning::Refused),
            ("authorization-mode", "Node", Meaning::Refused),
            ("authorization-mode", "Webhook", Meaning::Refused),
            ("authorization-mode", "AlwaysDeny", Meaning::Refused),
            ("oidc-issuer-url", "https://x", Meaning::Refused),
            ("etcd-servers", "x", Meaning::Nothing),
            ("v", "4", Meaning::Nothing),
            ("anonymous-auth", "false", Meaning::Used),
            ("feature-gates", "A=true", Meaning::Used),
            ("vx", "4", Meaning::Unknown),
        ] {
            assert_eq!(meaning(name, value), expected, "{name}={value}");
        }
    }

    #[test]
    fn tokens_have_users_and_groups() {
        let admin = Some(("t".to_owned(), User::new("admin", ["system:masters", "b"])));
        assert_eq!(token(r#"t,admin,1,"system:masters,b""#), admin);
        assert_eq!(token("t,a,1,g"), Some(("t".to_owned(), User::new("a", ["g"]))));
        assert_eq!(token("t,a,1"), Some(("t".to_owned(), User::new("a", Vec::<String>::new()))));
        for wrong in ["t,a", "t", ",a,1", "t,,1", r#"t,a,1,"g"#] {
            assert_eq!(token(wrong), None, "{wrong}");
        }
    }
}
