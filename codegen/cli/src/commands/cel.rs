//! `crdgen cel`: the type, cost and value of an expression, and why it has this value.

use crdgen_core::server::Server;

use crate::arguments::selection;
use crate::arguments::values;
use crate::input::{NOTES, Rules};
use crate::outcome::Outcome;
use crate::output::report::Format;
use crate::terminal::Terminal;
use crdgen_files::Error;
use crdgen_report::expressions;
use crdgen_tasks::expressions::{Asked, ExpressionOptions, ExpressionPlaces, Expressions};

/// Evaluate a CEL expression or a rule of a CRD: show its type and cost, its value for objects, and why it is false
///
/// The exit code is 1 if the expression is false for an object, and 2 if it cannot be compiled or evaluated.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  crdgen cel 'self.replicas <= 10' --crd crd.yaml --path .spec
  crdgen cel 'self.spec.size() > 2' --object object.yaml
  crdgen cel 'self.replicas <= 10' --crd crds --kind CronTab --path .spec --object objects/
  crdgen cel --crd crd.yaml --list                                      list the rules of a CRD
  crdgen cel --crd crd.yaml --rule spec.replicas --object object.yaml   run one of them, and explain the result")]
pub(crate) struct Args {
    /// The expression, or - to read it from standard input
    #[arg(required_unless_present_any = ["rule", "list"])]
    expression: Option<String>,
    /// Run a rule of the CRD, on all values that it is for. The address is the field, as in spec.items[].name, with #N if the
    /// field has several rules; or the place in the CRD, as `crdgen check` prints it. --list prints the addresses
    #[arg(long, value_name = "ADDRESS", conflicts_with_all = ["expression", "path"])]
    rule: Option<String>,
    /// List the rules of the CRD with their addresses, and evaluate nothing
    #[arg(long, conflicts_with_all = ["expression", "path", "rule", "object", "old", "explain"])]
    list: bool,
    /// The CRD whose objects the expression is for: a file or folder. Without it, `self` is the --object, and types are
    /// unknown
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::AnyPath)]
    crd: Option<String>,
    #[command(flatten)]
    from: selection::Crds,
    /// The kind, if there are several CRDs [default: that of the --object]. Accepts plural, singular and short names
    #[arg(long, value_name = "NAME")]
    kind: Option<String>,
    /// The version in the CRD [default: that of the --object, or the first one]
    #[arg(long, visible_alias = "api-version", value_name = "NAME")]
    version: Option<String>,
    /// The path of `self` in the object, such as .spec or .spec.items[0]. [] means each item of a list, and .* each value of
    /// a map
    #[arg(long, default_value = "", value_name = "PATH")]
    path: String,
    /// Evaluate the expression for the objects of a file, a folder or standard input (-), after defaulting and pruning as the
    /// server does. With a CRD, only for objects of its kind. May be repeated
    #[arg(long, value_name = "PATH", value_hint = clap::ValueHint::AnyPath)]
    object: Vec<String>,
    /// The objects before the update, for `oldSelf`. They belong to the objects with the same names
    #[arg(long, value_name = "PATH", value_hint = clap::ValueHint::AnyPath, requires = "object")]
    old: Vec<String>,
    /// Explain each result, not only those that are false or an error
    #[arg(long, requires = "object")]
    explain: bool,
    /// The Kubernetes version whose CEL libraries to use. Of several, such as 1.35..1.37, the newest one counts
    #[arg(long, value_name = "1.NN", value_parser = values::KUBES, hide_possible_values = true)]
    kube: Option<String>,
    /// The output format
    #[arg(short, long, value_name = "FORMAT", default_value = "human")]
    output: Format,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Error> {
    let options = args.from.options()?;
    let places = ExpressionPlaces {
        crd: args.crd.as_deref(),
        options: &options,
        kind: args.kind.as_deref(),
        objects: &args.object,
        old: &args.old,
    };
    let read = Expressions::read(&places)?;
    if let Some(option) = args.needs_crd().filter(|_| !read.has_crd()) {
        return Err(Error::Argument(format!("{option} needs a CRD: pass it with --crd")));
    }
    if args.list {
        expressions::list(&read.rules(args.version.as_deref())?, args.output, Terminal::Output)?;
        return Ok(Outcome::Fine);
    }
    let own = read.keep_own(&places)?;
    let asked = own.ask(&args.wanted()?)?;
    expressions::show(args.output, &asked, own.objects(), Terminal::Output)?;
    Ok(outcome(&asked))
}

/// An error is worse than an expression that is false, because the expression may have a mistake.
fn outcome(asked: &[Asked]) -> Outcome {
    if asked.iter().any(|asked| !asked.errors().is_empty()) {
        return Outcome::Errors;
    }
    let mut runs = asked.iter().flat_map(Asked::runs);
    if runs.any(|(_, run)| run.is_false()) { Outcome::Findings } else { Outcome::Fine }
}

impl Args {
    fn wanted(&self) -> Result<ExpressionOptions, Error> {
        let newest = values::servers(self.kube.as_deref())?.first().copied();
        let kube = newest.unwrap_or(Server::NEWEST).stored();
        Ok(ExpressionOptions {
            expression: self.expression.clone(),
            rule: self.rule.clone(),
            version: self.version.clone(),
            path: self.path.clone(),
            explains_all: self.explain,
            kube,
            rules: Rules::default().with_notes(NOTES),
        })
    }

    /// An option that has no meaning without a CRD.
    fn needs_crd(&self) -> Option<&'static str> {
        let options = [
            ("--rule", self.rule.is_some()),
            ("--list", self.list),
            ("--kind", self.kind.is_some()),
            ("--version", self.version.is_some()),
        ];
        options.into_iter().find_map(|(name, is_given)| is_given.then_some(name))
    }
}
