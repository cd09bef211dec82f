//! `crdgen serve`: an API server on a port.

pub(crate) mod assets;
mod data;
mod door;
mod kubeconfig;

use std::net::SocketAddr;
use std::path::PathBuf;

use crdgen_apiserver::{Server, listen};
use crdgen_core::documents::objects;
use crdgen_core::{encode, json};

use door::Door;

use crate::arguments::selection::Selection;
use crate::crds::accepted;
use crate::input::{self, Options, definitions, stream};
use crate::outcome::Outcome;
use crate::terminal::progress::Progress;
use crate::terminal::{self, Ready};
use crdgen::{Error, output};

/// The depth of the recursion over requests is limited. This stack is large enough for the deepest one.
const STACK: usize = 64 << 20;

/// Serve the Kubernetes API for CRDs, in memory: a server for tests, without etcd, nodes and containers
///
/// The server decides like a cluster: it checks, defaults, prunes and converts objects, keeps the owners of their fields, and
/// deletes what is owned. kubectl and clients in all languages work with it. CRDs can also be created, changed and deleted
/// while it runs.
///
/// The server listens on this machine only, over HTTP, and everybody on it may do everything. If --listen names an address that
/// other machines reach, the server has TLS and asks for a token. The kubeconfig has the certificate and the token.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  crdgen serve --crd deploy/crds --kubeconfig /tmp/kubeconfig
  KUBECONFIG=/tmp/kubeconfig kubectl get crds
  KUBEBUILDER_ASSETS=\"$(crdgen serve --assets bin)\" go test ./...   run a suite of controller-runtime on this server

The command ends with Ctrl-C. It forgets everything then, unless --data names a folder.")]
pub(crate) struct Args {
    /// CRDs to start with: files, folders or charts. May be repeated
    #[arg(long = "crd", value_name = "PATH", value_hint = clap::ValueHint::AnyPath)]
    crds: Vec<String>,
    /// Objects to start with: files, folders or charts. May be repeated
    #[arg(long = "objects", value_name = "PATH", value_hint = clap::ValueHint::AnyPath)]
    objects: Vec<String>,
    #[command(flatten)]
    selection: Selection,
    /// The address to listen on. Port 0 means any free port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0")]
    listen: SocketAddr,
    /// Encrypt connections with a new certificate, which the kubeconfig names. On by itself with --token, and if
    /// other machines reach the server
    #[arg(long)]
    tls: bool,
    /// Ask clients for a bearer token: the one in FILE, or a new one, which is in the kubeconfig. On by itself if other machines
    /// reach the server
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, value_hint = clap::ValueHint::FilePath)]
    token: Option<Option<PathBuf>>,
    /// Let everybody who reaches the address of --listen do everything, without TLS and a token
    #[arg(long, conflicts_with_all = ["tls", "token"])]
    insecure: bool,
    /// Who may do what. With RBAC, roles and their bindings decide, also about tokens of service accounts and `kubectl --as`;
    /// the user of the kubeconfig may do everything
    #[arg(long, value_enum, value_name = "MODE", default_value_t = Authorization::AlwaysAllow)]
    authorization_mode: Authorization,
    /// Write a kubeconfig for this server to a file, once it is ready
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    kubeconfig: Option<PathBuf>,
    /// Keep everything in this folder, also when the process is killed, and start with what is there. What --crd and --objects
    /// name is added if it is missing
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    data: Option<PathBuf>,
    /// Write `kube-apiserver` and `etcd` for envtest to a folder, print its path, and end: both are links to this program.
    /// `KUBEBUILDER_ASSETS` names the folder
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath, exclusive = true)]
    assets: Option<PathBuf>,
    /// The seed of uids and generated names. The same seed and the same requests give the same names
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    seed: u64,
}

/// How the server decides who may do what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Authorization {
    #[value(name = "AlwaysAllow")]
    AlwaysAllow,
    #[value(name = "RBAC")]
    Rbac,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Error> {
    if let Some(folder) = &args.assets {
        return assets::write(folder);
    }
    let server = match &args.data {
        Some(folder) => data::open(folder, args.seed)?,
        None => Server::with_seed(args.seed),
    };
    let server = match args.authorization_mode {
        Authorization::AlwaysAllow => server,
        Authorization::Rbac => server.with_rbac(),
    };
    if !args.crds.is_empty() {
        let options = Options::crds(&args.selection.rules()?);
        let outcome = accepted::each(&args.crds, &options, false, false, |crds| {
            crds.iter()
                .try_for_each(|crd| add(&server, &crd.metadata.name, &json::to_string(&encode::crd(crd))))
        })?;
        if outcome != Outcome::Fine {
            return Ok(outcome);
        }
    }
    if !args.objects.is_empty() {
        add_objects(&server, args)?;
    }
    runtime()?.block_on(serve(server, args))
}

/// Prepares what a server needs of the system. Each connection is an open file, of which a process may have few at first.
fn runtime() -> Result<tokio::runtime::Runtime, Error> {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
        // With fewer files, connections wait for each other.
        _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    }
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    runtime.enable_all().thread_stack_size(STACK).build().map_err(Error::Thread)
}

fn add(server: &Server, name: &str, text: &str) -> Result<(), Error> {
    server.add_missing(text).map_err(|why| Error::Argument(format!("{name}: {why}")))
}

fn add_objects(server: &Server, args: &Args) -> Result<(), Error> {
    let inputs = input::find(&args.objects, &Options::objects(&args.selection.rules()?))?;
    let progress = Progress::new("reading", inputs.len());
    let work = |source: &input::Source, group| {
        let (manifests, mut unreadable) = objects(group);
        match unreadable.pop() {
            Some(finding) => Err(definitions::broken(&source.name, finding.place, finding.diag)),
            None => Ok(manifests),
        }
    };
    stream::each_group(&inputs, &progress, work, |manifests| {
        manifests
            .iter()
            .try_for_each(|manifest| add(server, &manifest.name(), &json::to_string(&manifest.value)))
    })
}

async fn serve(server: Server, args: &Args) -> Result<Outcome, Error> {
    let door = Door::new(args)?;
    let cannot_listen = |why| Error::Argument(format!("cannot listen on {}: {why}", args.listen));
    let listening =
        door.close(listen(server, args.listen).await.map_err(cannot_listen)?, args.data.as_deref())?;
    let reach = door.reach(listening.address().map_err(cannot_listen)?);
    if let Some(path) = &args.kubeconfig {
        output::write_private(path, &reach.kubeconfig())?;
    }
    if args.kubeconfig.is_none() && reach.authority.is_some() {
        terminal::say(
            "warning: clients cannot check the certificate of the server, because no file has its authority. Add `--kubeconfig FILE`",
        );
    }
    if door.is_open() && !args.listen.ip().is_loopback() {
        terminal::say("warning: everybody who reaches this address can use the server");
    }
    terminal::print(&Ready::inert(format!("ready on {}\n", reach.url())))?;
    listening.serve().await;
    Ok(Outcome::Fine)
}
