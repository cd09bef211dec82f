//! Formats of documents, as clap reads them.

use clap::ValueEnum;
use crdgen::{docs, emit};

/// The formats of `crdgen emit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Emitted {
    /// YAML.
    Yaml,
    /// JSON in one line.
    Json,
    /// Swagger 2.0 as a server publishes it, per served version.
    #[value(name = "openapi-v2")]
    OpenApiV2,
    /// OpenAPI 3.0 as a server publishes it, per served version.
    #[value(name = "openapi-v3")]
    OpenApiV3,
    /// A strict JSON Schema per version, draft 2020-12, in the layout of kubeconform.
    JsonSchema,
    /// A strict JSON Schema per version, draft-07.
    #[value(name = "json-schema-07")]
    JsonSchema07,
    /// A documentation page in HTML.
    Docs,
    /// A documentation page in Markdown.
    DocsMarkdown,
}

impl From<Emitted> for emit::Form {
    fn from(form: Emitted) -> emit::Form {
        match form {
            Emitted::Yaml => emit::Form::Yaml,
            Emitted::Json => emit::Form::Json,
            Emitted::OpenApiV2 => emit::Form::OpenApiV2,
            Emitted::OpenApiV3 => emit::Form::OpenApiV3,
            Emitted::JsonSchema => emit::Form::JsonSchema,
            Emitted::JsonSchema07 => emit::Form::JsonSchema07,
            Emitted::Docs => emit::Form::Docs,
            Emitted::DocsMarkdown => emit::Form::DocsMarkdown,
        }
    }
}

/// The formats of `crdgen docs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Pages {
    /// HTML that contains its style and script, and loads nothing from other sites.
    Html,
    /// Markdown for GitHub and most site generators.
    Markdown,
}

impl From<Pages> for docs::Form {
    fn from(form: Pages) -> docs::Form {
        match form {
            Pages::Html => docs::Form::Html,
            Pages::Markdown => docs::Form::Markdown,
        }
    }
}
