//! Which versions are published, and how: options of `crdgen openapi` and `crdgen emit`.

use crdgen_publish::openapi::Options;

use crdgen_build::emit::{OutputFormat, Publishing};
use crdgen_files::Error;

/// Options for what is published
#[derive(clap::Args)]
#[group(skip)]
pub(crate) struct Args {
    /// Write only this version of each kind, even if it is not served
    #[arg(long, visible_alias = "api-version", value_name = "NAME")]
    version: Option<String>,
    /// OpenAPI: write one document for all kinds, like the aggregated endpoint of a server
    #[arg(long)]
    merge: bool,
    /// OpenAPI: leave out all value validations
    #[arg(long)]
    strip_value_validation: bool,
    /// OpenAPI: leave out `nullable`
    #[arg(long)]
    strip_nullable: bool,
    /// OpenAPI: also write schemas that are not structural
    #[arg(long)]
    pub(crate) allow_non_structural: bool,
    /// OpenAPI v2: keep defaults, although servers do not publish them there
    #[arg(long)]
    keep_defaults: bool,
    /// OpenAPI: unfold unions, embedded resources and int-or-strings as the structural-schema proposal does
    #[arg(long)]
    pub(crate) unfold: bool,
}

impl Args {
    /// Returns what to publish. Options that do not apply to this format are errors.
    pub(crate) fn publishing(&self, format: OutputFormat) -> Result<Publishing, Error> {
        let Args {
            version,
            merge,
            strip_value_validation,
            strip_nullable,
            allow_non_structural,
            keep_defaults,
            unfold,
        } = self;
        let (openapi, v2) = match format {
            OutputFormat::OpenApiV2 => (true, true),
            OutputFormat::OpenApiV3 => (true, false),
            OutputFormat::Yaml
            | OutputFormat::Json
            | OutputFormat::JsonSchema
            | OutputFormat::JsonSchema07
            | OutputFormat::Docs
            | OutputFormat::DocsMarkdown => (false, false),
        };
        let versions = openapi || matches!(format, OutputFormat::JsonSchema | OutputFormat::JsonSchema07);
        for (name, given, applies, forms) in [
            ("version", version.is_some(), versions, "OpenAPI and JSON Schemas"),
            ("merge", *merge, openapi, "OpenAPI"),
            ("strip-value-validation", *strip_value_validation, openapi, "OpenAPI"),
            ("strip-nullable", *strip_nullable, openapi, "OpenAPI"),
            ("allow-non-structural", *allow_non_structural, openapi, "OpenAPI"),
            ("keep-defaults", *keep_defaults, v2, "OpenAPI v2"),
            ("unfold", *unfold, openapi, "OpenAPI"),
        ] {
            if given && !applies {
                return Err(Error::Argument(format!("--{name} is only for {forms}")));
            }
        }
        let options = Options {
            v2,
            strip_value_validation: *strip_value_validation,
            strip_nullable: *strip_nullable,
            allow_non_structural: *allow_non_structural,
            keep_defaults: *keep_defaults,
            unfold: *unfold,
        };
        Ok(Publishing { version: version.clone(), merge: *merge, options })
    }
}
