//! The tools that assistants may call: their inputs, and the command lines that these become.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

use crdgen_core::value::{Map, Value};
use crdgen_files::inside::Inside;

/// A command of crdgen that assistants may call.
pub(super) struct Tool {
    /// Its name, which is that of the command.
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    inputs: &'static [Input],
    /// The names of the inputs without which there is nothing to do.
    required: &'static [&'static str],
    /// What is always passed.
    fixed: &'static [&'static str],
}

/// An input of a tool.
struct Input {
    name: &'static str,
    takes: Takes,
    as_: As,
    about: &'static str,
}

/// What an input may be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    /// A file or folder of the workspace.
    Path,
    /// The same, or a revision of git: `git:REV`.
    PathOrRevision,
    /// A name, a number or a list of them.
    Word,
    /// An expression, which may begin with any character.
    Expression,
    /// The content of a file, which the command reads from its standard input.
    Text,
    Flag,
}

/// How an input is passed to the command.
#[derive(Clone, Copy, PartialEq, Eq)]
enum As {
    Argument,
    Arguments,
    Option(&'static str),
    /// It may be repeated.
    Options(&'static str),
}

use As::{Argument, Arguments};
use Takes::{Expression, Flag, Path as File, PathOrRevision, Text, Word};

const fn input(name: &'static str, takes: Takes, as_: As, about: &'static str) -> Input {
    Input { name, takes, as_, about }
}

const KUBE: Input = input(
    "kube",
    Word,
    As::Option("kube"),
    "Versions of Kubernetes, such as 1.35, 1.35,1.37 or 1.35..1.37. The newest one by default",
);
const CRD: Input = input(
    "crd",
    PathOrRevision,
    As::Options("crd"),
    "Files or folders with the CRDs, or git:REV for a revision",
);
const VERSION: Input = input("version", Word, As::Option("version"), "The version of the CRD, such as v1");
const JSON: &[&str] = &["--output=json"];

pub(super) const TOOLS: [Tool; 7] = [
    Tool {
        name: "check",
        about: "Check CRDs exactly as the Kubernetes API server would: schemas, defaults, CEL rules and their costs, names and versions. With `against`, also report what the update of a CRD breaks, with an object that proves it. Rust types that derive CRDs can be checked too. Without paths and text, checks the workspace.",
        inputs: &[
            input("paths", File, Arguments, "Files or folders with CRDs, or folders of Rust sources"),
            input("text", Text, Argument, "The YAML or JSON of CRDs that are not in a file yet"),
            input(
                "against",
                PathOrRevision,
                As::Option("against"),
                "The old CRDs: a file, a folder, or git:REV such as git:HEAD",
            ),
            input(
                "lint",
                Word,
                As::Options("lint"),
                "Lints to turn on: codes such as LNT002, `api` for the design of APIs, or `all`",
            ),
            input("no_lint", Word, As::Options("no-lint"), "Lints to turn off"),
            KUBE,
        ],
        required: &[],
        fixed: JSON,
    },
    Tool {
        name: "validate",
        about: "Check objects exactly as the API server would when they are written: custom resources against their CRDs, and Kubernetes' own kinds. With `old`, as updates. CRDs may be among the objects. Without paths and text, checks the workspace.",
        inputs: &[
            input("paths", File, Arguments, "Files or folders with objects"),
            input(
                "text",
                Text,
                Argument,
                "The YAML or JSON of objects that are not in a file yet, and of their CRDs",
            ),
            CRD,
            input("crd_text", Text, As::Option("crd"), "The YAML or JSON of CRDs that are not in a file yet"),
            input(
                "old",
                PathOrRevision,
                As::Option("old"),
                "The objects before the update: a file, a folder, or git:REV",
            ),
            input("policies", File, As::Options("policies"), "Files or folders with admission policies"),
            KUBE,
        ],
        required: &[],
        fixed: JSON,
    },
    Tool {
        name: "explain",
        about: "Explain an error code of crdgen and how to fix it, or a field of a kind: its type, description, default and limits. Without `what`, lists all codes, or with CRDs their kinds.",
        inputs: &[
            input(
                "what",
                Word,
                Argument,
                "A code such as CRD012, or a kind or field such as deployment.spec.replicas",
            ),
            CRD,
            input("text", Text, As::Option("crd"), "The YAML or JSON of the CRD, if it is not in a file yet"),
            VERSION,
            input(
                "recursive",
                Flag,
                As::Option("recursive"),
                "List all fields inside, with only their types",
            ),
        ],
        required: &[],
        fixed: &[],
    },
    Tool {
        name: "diff",
        about: "Show what an update of CRDs breaks, with objects that the server accepts before and rejects after it.",
        inputs: &[
            input(
                "old",
                PathOrRevision,
                Argument,
                "The old CRDs: a file, a folder, or git:REV such as git:HEAD",
            ),
            input(
                "new",
                PathOrRevision,
                Arguments,
                "The new CRDs: files or folders. The same paths as they are now by default",
            ),
            input("text", Text, Argument, "The YAML or JSON of the new CRDs, if they are not in a file yet"),
            input(
                "objects",
                File,
                As::Options("objects"),
                "Files or folders with objects: what the update means for them",
            ),
            KUBE,
        ],
        required: &["old"],
        fixed: JSON,
    },
    Tool {
        name: "test",
        about: "Run test suites of CRDs: objects that the server must accept or reject. Without paths, runs those of the workspace.",
        inputs: &[
            input("paths", File, Arguments, "Suites: files, or folders with suites"),
            CRD,
            input(
                "text",
                Text,
                As::Option("crd"),
                "The YAML or JSON of the CRDs, if they are not in a file yet",
            ),
            input("filter", Word, As::Options("filter"), "Run only tests with this in their name"),
            input(
                "coverage",
                Flag,
                As::Option("coverage"),
                "Also list the constraints that no test depends on",
            ),
            KUBE,
        ],
        required: &[],
        fixed: JSON,
    },
    Tool {
        name: "convert",
        about: "Convert objects to another version, as the sources of Rust types declare it, or CRDs of v1beta1 to v1. Prints the result.",
        inputs: &[
            input("to", Word, As::Option("to"), "The version, such as v1 or example.com/v1"),
            input("paths", File, Arguments, "Files or folders with objects"),
            input("text", Text, Argument, "The YAML or JSON of objects that are not in a file yet"),
            input(
                "types",
                File,
                As::Option("types"),
                "The folder of the Rust package with the conversions. It is read, not run",
            ),
        ],
        required: &["to"],
        fixed: &[],
    },
    Tool {
        name: "cel",
        about: "Evaluate a CEL expression or a rule of a CRD as the API server does: its type, its cost, its value for objects, and why it is false.",
        inputs: &[
            input("expression", Expression, Argument, "The expression. Otherwise, pass `rule` or `list`"),
            input("rule", Word, As::Option("rule"), "The address of a rule of the CRD, as `list` shows it"),
            input("list", Flag, As::Option("list"), "List the rules of the CRD with their addresses"),
            input(
                "crd",
                File,
                As::Option("crd"),
                "The file or folder with the CRD whose objects the expression is for",
            ),
            input("text", Text, As::Option("crd"), "The YAML or JSON of the CRD, if it is not in a file yet"),
            input(
                "path",
                Word,
                As::Option("path"),
                "The path of `self` in the object, such as .spec or .spec.items[]",
            ),
            input(
                "object",
                File,
                As::Options("object"),
                "Files or folders with objects for which to evaluate the expression",
            ),
            input(
                "object_text",
                Text,
                As::Option("object"),
                "The YAML or JSON of objects that are not in a file yet",
            ),
            input(
                "old",
                File,
                As::Options("old"),
                "Files or folders with the objects before the update, for oldSelf",
            ),
            input("kind", Word, As::Option("kind"), "The kind, if there are several CRDs"),
            VERSION,
            KUBE,
        ],
        required: &[],
        fixed: JSON,
    },
];

/// A command line, and the text for its standard input.
#[derive(Debug, Default)]
pub(super) struct Line {
    pub(super) arguments: Vec<OsString>,
    pub(super) text: Option<Vec<u8>>,
}

/// Why a call is not made.
#[derive(Debug)]
pub(super) enum Refused {
    Unknown(String, &'static str),
    Type(&'static str, &'static str),
    Missing(&'static str),
    SecondText,
    Outside(String),
    Revision(String),
    AsOption(String),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Unknown(name, tool) => write!(f, "{tool} has no input {name:?}"),
            Refused::Type(name, ty) => write!(f, "{name}: must be {ty}"),
            Refused::Missing(name) => write!(f, "{name}: required"),
            Refused::SecondText => f.write_str("only one input can be a text; pass the other one as a file"),
            Refused::Outside(path) => {
                write!(
                    f,
                    "{path:?} is not a file or folder of the workspace. Pass a path below the folder in which crdgen mcp runs"
                )
            }
            Refused::Revision(text) => {
                write!(f, "{text:?} is not a revision. Pass git: and a branch, a tag or a commit")
            }
            Refused::AsOption(text) => write!(f, "{text:?} begins like an option"),
        }
    }
}

/// The folder whose files the tools read.
pub(super) struct Workspace {
    /// The folder without links.
    root: PathBuf,
    inside: Inside,
}

impl Workspace {
    pub(super) fn new(root: &Path) -> std::io::Result<Workspace> {
        let root = root.canonicalize()?;
        let mut inside = Inside::default();
        inside.add(&root);
        Ok(Workspace { root, inside })
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// The path of a file or folder from the root, without links.
    fn path(&self, path: &str) -> Result<OsString, Refused> {
        let outside = || Refused::Outside(path.to_owned());
        let real = self.root.join(path).canonicalize().ok().filter(|real| self.inside.has(real));
        let real = real.ok_or_else(outside)?;
        let below = real.strip_prefix(&self.root).map_err(|_| outside())?;
        // Names may look like options, revisions or standard input.
        let is_plain = below.to_str().is_some_and(|name| !name.starts_with('-') && !name.contains(':'));
        Ok(if is_plain && below != Path::new("") { below.into() } else { Path::new(".").join(below).into() })
    }
}

/// The path, or the revision of git without a path.
fn revision(text: &str) -> Result<OsString, Refused> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "._/~^@+-".contains(c);
    let name = text.strip_prefix("git:").unwrap_or_default();
    match !name.is_empty() && !name.starts_with('-') && name.chars().all(is_part) {
        true => Ok(text.into()),
        false => Err(Refused::Revision(text.to_owned())),
    }
}

impl Input {
    fn takes_several(&self) -> bool {
        matches!(self.as_, Arguments | As::Options(_))
    }

    fn ty(&self) -> &'static str {
        match (self.takes, self.takes_several()) {
            (Flag, _) => "a boolean",
            (_, true) => "a list of strings",
            (_, false) => "a string",
        }
    }

    fn schema(&self) -> Value {
        let ty = |name: &str| ("type", Value::from(name));
        let own = match (self.takes, self.takes_several()) {
            (Flag, _) => vec![ty("boolean")],
            (_, true) => vec![ty("array"), ("items", map([ty("string")]))],
            (_, false) => vec![ty("string")],
        };
        map(own.into_iter().chain([("description", self.about.into())]))
    }

    /// The texts of a value.
    fn texts<'v>(&self, value: &'v Value) -> Result<Vec<&'v str>, Refused> {
        let wrong = || Refused::Type(self.name, self.ty());
        match value {
            Value::Str(text) => Ok(vec![text]),
            Value::List(items) if self.takes_several() => {
                items.iter().map(|item| item.as_str().ok_or_else(wrong)).collect()
            }
            _ => Err(wrong()),
        }
    }

    /// What the command gets for a text.
    fn argument(&self, text: &str, workspace: &Workspace) -> Result<OsString, Refused> {
        match self.takes {
            PathOrRevision if text.starts_with("git:") => revision(text),
            File | PathOrRevision => workspace.path(text),
            // It would be read from standard input.
            Expression if text != "-" => Ok(text.into()),
            Text => Ok("-".into()),
            Word if !text.starts_with('-') => Ok(text.into()),
            Word | Expression | Flag => Err(Refused::AsOption(text.to_owned())),
        }
    }
}

impl Tool {
    /// What clients know about it.
    pub(super) fn shown(&self) -> Value {
        let properties = map(self.inputs.iter().map(|input| (input.name, input.schema())));
        let schema = map([
            ("type", Value::from("object")),
            ("properties", properties),
            ("required", self.required.to_vec().into()),
            ("additionalProperties", Value::Bool(false)),
        ]);
        let annotations = map([("readOnlyHint", Value::Bool(true)), ("openWorldHint", Value::Bool(false))]);
        map([
            ("name", self.name.into()),
            ("description", self.about.into()),
            ("inputSchema", schema),
            ("annotations", annotations),
        ])
    }

    /// The command line for the inputs of a call.
    pub(super) fn line(&self, given: &Map<Value>, workspace: &Workspace) -> Result<Line, Refused> {
        if let Some(name) = given.keys().find(|name| !self.inputs.iter().any(|input| input.name == *name)) {
            return Err(Refused::Unknown(name.to_owned(), self.name));
        }
        if let Some(name) = self.required.iter().find(|name| given.get(name).is_none()) {
            return Err(Refused::Missing(name));
        }
        let mut line = Line::default();
        line.arguments.push(self.name.into());
        line.arguments.extend(self.fixed.iter().map(OsString::from));
        let mut rest = Vec::new();
        for input in self.inputs {
            let value = match given.get(input.name) {
                None | Some(Value::Null) => continue,
                Some(value) => value,
            };
            if let (Flag, As::Option(name)) = (input.takes, input.as_) {
                let is_on = value.as_bool().ok_or(Refused::Type(input.name, input.ty()))?;
                line.arguments.extend(is_on.then(|| format!("--{name}").into()));
                continue;
            }
            for text in input.texts(value)? {
                let argument = input.argument(text, workspace)?;
                if input.takes == Text && line.text.replace(text.as_bytes().to_vec()).is_some() {
                    return Err(Refused::SecondText);
                }
                match input.as_ {
                    As::Option(name) | As::Options(name) => {
                        let mut option = OsString::from(format!("--{name}="));
                        option.push(argument);
                        line.arguments.push(option);
                    }
                    Argument | Arguments => rest.push(argument),
                }
            }
        }
        line.arguments.push("--".into());
        line.arguments.extend(rest);
        Ok(line)
    }
}

/// A JSON object.
pub(super) fn map<'n>(members: impl IntoIterator<Item = (&'n str, Value)>) -> Value {
    Value::Map(members.into_iter().collect())
}
