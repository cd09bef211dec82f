//! `crdgen serve`: an API server on a port.

use std::env;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crdgen_apiserver::Server;
use crdgen_core::documents::objects;
use crdgen_core::{encode, json};

use crdgen_serve::envtest::{self, Program};
use crdgen_serve::{Door, Protection, Token};

use crate::arguments::selection::Selection;
use crate::crds::accepted::{self, Also};
use crate::input::{self, Options, stream};
use crate::outcome::Outcome;
use crate::terminal::progress::Progress;
use crate::terminal::{self, Ready};
use crdgen_files::input::Shown;
use crdgen_files::{Error, output};

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
        return write_assets(folder);
    }
    let server = match &args.data {
        Some(folder) => crdgen_serve::open(folder, args.seed)?,
        None => Server::with_seed(args.seed),
    };
    let server = match args.authorization_mode {
        Authorization::AlwaysAllow => server,
        Authorization::Rbac => server.with_rbac(),
    };
    if !args.crds.is_empty() {
        let options = Options::crds(&args.selection.rules()?);
        let mut has_crds = false;
        let outcome = accepted::each(&args.crds, &options, Also::NOTHING, |crds| {
            has_crds |= !crds.is_empty();
            crds.iter()
                .try_for_each(|crd| add(&server, &crd.metadata.name, &json::to_string(&encode::crd(crd))))
        })?;
        if outcome != Outcome::Fine {
            return Ok(outcome);
        }
        // A project may not have generated them yet.
        if !has_crds {
            terminal::say(format_args!("no CustomResourceDefinition in {}", input::names(&args.crds)));
        }
    }
    if !args.objects.is_empty() {
        add_objects(&server, args)?;
    }
    crdgen_serve::runtime()?.block_on(serve(server, args))
}

/// Writes the programs of envtest, and prints their folder.
fn write_assets(folder: &Path) -> Result<Outcome, Error> {
    let this = env::current_exe().and_then(|path| path.canonicalize()).map_err(Error::Thread)?;
    let whole = envtest::write(folder, &this)?;
    terminal::print(&Ready::inert(format!("{}\n", whole.shown())))?;
    Ok(Outcome::Fine)
}

/// Does what the name of the program says, if it is the name of one of envtest's.
pub(crate) fn run_by_name() -> Option<ExitCode> {
    let program = Program::of(&env::args_os().next()?)?;
    let ended = program.run(env::args_os().skip(1), |note| terminal::say(note));
    Some(match ended.and_then(|text| text.map_or(Ok(()), |text| terminal::print(&Ready::text(&text)))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            terminal::say_error(&why);
            ExitCode::from(1)
        }
    })
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
            Some(finding) => Err(Error::document(&source.name, finding.place, finding.diag)),
            None => Ok(manifests),
        }
    };
    stream::each_group(&inputs, &progress, work, |manifests| {
        manifests
            .iter()
            .try_for_each(|manifest| add(server, &manifest.name(), &json::to_string(&manifest.value)))
    })
}

impl Args {
    fn protection(&self) -> Protection<'_> {
        let token = match &self.token {
            Some(Some(file)) => Token::In(file),
            Some(None) => Token::New,
            None => Token::IfReachable,
        };
        Protection {
            listen: self.listen,
            tls: self.tls,
            token,
            is_insecure: self.insecure,
            writes_kubeconfig: self.kubeconfig.is_some(),
        }
    }
}

async fn serve(server: Server, args: &Args) -> Result<Outcome, Error> {
    let door = Door::new(&args.protection())?;
    let listening = door.listen(server, args.data.as_deref()).await?;
    let reach = &listening.reach;
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
    if door.is_open() && args.authorization_mode == Authorization::Rbac {
        terminal::say(
            "warning: roles decide only about clients that send the token of a service account, or impersonate a user. Others may do everything, \
             and kubectl sends no token over HTTP. Add `--token`",
        );
    }
    terminal::print(&Ready::inert(format!("ready on {}\n", reach.url())))?;
    listening.serve().await;
    Ok(Outcome::Fine)
}
