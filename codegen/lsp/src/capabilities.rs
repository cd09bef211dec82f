//! What client and server agree on at the start.

use std::path::PathBuf;

use gen_lsp_types as lsp;

use crate::paths;
use crate::positions::Encoding;
use crate::{stored, tokens};

/// What the server needs to know about the client.
pub(crate) struct Client {
    pub(crate) encoding: Encoding,
    pub(crate) roots: Vec<PathBuf>,
    /// Whether the client reports changes of files that the server registers.
    pub(crate) watches: bool,
}

impl Client {
    #[allow(deprecated)]
    pub(crate) fn new(params: lsp::InitializeParams) -> Client {
        let capabilities = params.capabilities;
        let encodings = capabilities.general.and_then(|it| it.position_encodings).unwrap_or_default();
        let encoding = match encodings.contains(&lsp::PositionEncodingKind::UTF8) {
            true => Encoding::Utf8,
            false => Encoding::Utf16,
        };
        let folders = match params.workspace_folders_initialize_params.workspace_folders {
            Some(lsp::WorkspaceFolders::WorkspaceFolderList(folders)) => folders,
            Some(lsp::WorkspaceFolders::Null) | None => Vec::new(),
        };
        let mut roots: Vec<PathBuf> = folders.iter().filter_map(|folder| paths::path(&folder.uri)).collect();
        if roots.is_empty() {
            roots.extend(params.root_uri.as_ref().and_then(paths::path));
        }
        let watched = capabilities.workspace.and_then(|it| it.did_change_watched_files);
        Client { encoding, roots, watches: watched.and_then(|it| it.dynamic_registration) == Some(true) }
    }
}

/// What the server can do.
pub(crate) fn server(encoding: Encoding) -> lsp::InitializeResult {
    let sync = lsp::TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(lsp::TextDocumentSyncKind::Incremental),
        ..lsp::TextDocumentSyncOptions::default()
    };
    let fixes = lsp::CodeActionOptions {
        code_action_kinds: Some(vec![lsp::CodeActionKind::QuickFix]),
        ..lsp::CodeActionOptions::default()
    };
    let capabilities = lsp::ServerCapabilities {
        position_encoding: Some(match encoding {
            Encoding::Utf8 => lsp::PositionEncodingKind::UTF8,
            Encoding::Utf16 => lsp::PositionEncodingKind::UTF16,
        }),
        text_document_sync: Some(lsp::TextDocumentSync::Options(sync)),
        completion_provider: Some(lsp::CompletionOptions {
            // A dot is between names in expressions.
            trigger_characters: Some([" ", ":", "."].map(str::to_owned).to_vec()),
            ..lsp::CompletionOptions::default()
        }),
        signature_help_provider: Some(lsp::SignatureHelpOptions {
            trigger_characters: Some(["(", ","].map(str::to_owned).to_vec()),
            ..lsp::SignatureHelpOptions::default()
        }),
        hover_provider: Some(lsp::HoverProvider::Bool(true)),
        definition_provider: Some(lsp::DefinitionProvider::Bool(true)),
        document_symbol_provider: Some(lsp::DocumentSymbolProvider::Bool(true)),
        folding_range_provider: Some(lsp::FoldingRangeProvider::Bool(true)),
        semantic_tokens_provider: Some(lsp::SemanticTokensProvider::SemanticTokensOptions(tokens::options())),
        rename_provider: Some(lsp::RenameProvider::RenameOptions(lsp::RenameOptions {
            prepare_provider: Some(true),
            ..lsp::RenameOptions::default()
        })),
        execute_command_provider: Some(lsp::ExecuteCommandOptions {
            commands: vec![stored::COMMAND.to_owned()],
            ..lsp::ExecuteCommandOptions::default()
        }),
        code_action_provider: Some(lsp::CodeActionProvider::CodeActionOptions(fixes)),
        ..lsp::ServerCapabilities::default()
    };
    let info =
        lsp::ServerInfo { name: "crdgen".to_owned(), version: Some(env!("CARGO_PKG_VERSION").to_owned()) };
    lsp::InitializeResult { capabilities, server_info: Some(info) }
}
