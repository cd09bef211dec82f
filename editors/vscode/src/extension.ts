/** Starts `crdgen lsp`, the language server of crdgen, for YAML and JSON. */

import { commands, ExtensionContext, window, workspace } from "vscode";
import { LanguageClient, ServerOptions, TransportKind } from "vscode-languageclient/node";

/** The files that the server gets. It ignores those that are not for Kubernetes. */
const documents = ["yaml", "json"].flatMap((language) => [
  { scheme: "file", language },
  { scheme: "untitled", language },
]);

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
