//! Formats of documents, as clap reads them.

use clap::ValueEnum;
use crdgen_build::{docs, emit};

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

impl From<Emitted> for emit::OutputFormat {
    fn from(form: Emitted) -> emit::OutputFormat {
        match form {
            Emitted::Yaml => emit::OutputFormat::Yaml,
            Emitted::Json => emit::OutputFormat::Json,
            Emitted::OpenApiV2 => emit::OutputFormat::OpenApiV2,
            Emitted::OpenApiV3 => emit::OutputFormat::OpenApiV3,
            Emitted::JsonSchema => emit::OutputFormat::JsonSchema,
            Emitted::JsonSchema07 => emit::OutputFormat::JsonSchema07,
            Emitted::Docs => emit::OutputFormat::Docs,
            Emitted::DocsMarkdown => emit::OutputFormat::DocsMarkdown,
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

impl From<Pages> for docs::PageFormat {
    fn from(form: Pages) -> docs::PageFormat {
        match form {
            Pages::Html => docs::PageFormat::Html,
            Pages::Markdown => docs::PageFormat::Markdown,
        }
    }
}
