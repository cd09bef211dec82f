/** Starts `crdgen lsp`, the language server of crdgen, for YAML and JSON. */

import { commands, EventEmitter, ExtensionContext, Uri, ViewColumn, window, workspace } from "vscode";
import { LanguageClient, ServerOptions, TransportKind } from "vscode-languageclient/node";

/** The files that the server gets. It ignores those that are not for Kubernetes. */
const documents = ["yaml", "json"].flatMap((language) => [
  { scheme: "file", language },
  { scheme: "untitled", language },
]);

/** The scheme of documents with what the server would store. */
const STORED = "crdgen-stored";

let client: LanguageClient | undefined;

/** Later starts wait for this one. */
let pending: Promise<void> = Promise.resolve();

export async function activate(context: ExtensionContext): Promise<void> {
  context.subscriptions.push(
    commands.registerCommand("crdgen.restart", restart),
    workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("crdgen.path") || change.affectsConfiguration("crdgen.arguments")) {
        await restart();
      }
    }),
    ...showStored(),
  );
  await restart();
}

export async function deactivate(): Promise<void> {
  pending = pending.then(stop);
  await pending;
}

async function restart(): Promise<void> {
  pending = pending.then(stop).then(start);
  await pending;
}

async function start(): Promise<void> {
  const settings = workspace.getConfiguration("crdgen");
  const command = settings.get<string>("path") || "crdgen";
  const server: ServerOptions = {
    command,
    args: ["lsp", ...settings.get<string[]>("arguments", [])],
    transport: TransportKind.stdio,
    // The nearest crdgen.toml above this folder has the settings of the project.
    options: { cwd: workspace.workspaceFolders?.[0]?.uri.fsPath },
  };
  client = new LanguageClient("crdgen", "crdgen", server, { documentSelector: documents });
  try {
    await client.start();
  } catch (reason) {
    client = undefined;
    void window.showErrorMessage(
      `crdgen: cannot start ${command}: ${reason instanceof Error ? reason.message : reason}. ` +
        "Install it with `cargo install crdgen-cli`, or set `crdgen.path`.",
    );
  }
}

async function stop(): Promise<void> {
  const running = client;
  client = undefined;
  // A server that has ended by itself cannot be stopped.
  await running?.stop().catch(() => undefined);
}

/** The command that shows what the server would store for the object at the cursor, in a document that follows the changes. */
function showStored() {
  const changed = new EventEmitter<Uri>();
  const shown = new Map<string, Uri>();
  const provider = {
    onDidChange: changed.event,
    provideTextDocumentContent: async (uri: Uri): Promise<string> => {
      const place = JSON.parse(uri.query);
      const request = { command: "crdgen.stored", arguments: [place] };
      const text = await client?.sendRequest<string | null>("workspace/executeCommand", request);
      return text ?? "# No object is at the cursor.\n";
    },
  };
  return [
    changed,
    workspace.registerTextDocumentContentProvider(STORED, provider),
    workspace.onDidChangeTextDocument(({ document }) => {
      const uri = shown.get(document.uri.toString());
      if (uri) {
        changed.fire(uri);
      }
    }),
    commands.registerCommand("crdgen.showStored", async () => {
      const editor = window.activeTextEditor;
      if (!editor) {
        return;
      }
      const { line, character } = editor.selection.active;
      const uri = editor.document.uri.toString();
      const place = { textDocument: { uri }, position: { line, character } };
      const stored = Uri.from({ scheme: STORED, path: "stored.yaml", query: JSON.stringify(place) });
      shown.set(uri, stored);
      const document = await workspace.openTextDocument(stored);
      await window.showTextDocument(document, { viewColumn: ViewColumn.Beside, preview: true, preserveFocus: true });
    }),
  ];
}
