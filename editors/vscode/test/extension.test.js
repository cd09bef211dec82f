// Runs the compiled extension with a stub of the editor, and the real crdgen.
"use strict";

const assert = require("node:assert");
const child = require("node:child_process");
const fs = require("node:fs");
const Module = require("node:module");
const os = require("node:os");
const path = require("node:path");
const { test } = require("node:test");
const { editor } = require("./vscode.js");

const program = process.env.CRDGEN ?? "crdgen";
const isInstalled = child.spawnSync(program, ["--version"]).status === 0;
const skip = isInstalled ? false : "crdgen is not installed";
const root = path.join(__dirname, "..");

/** Loads the extension with an editor of its own. */
function load() {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "crdgen-vscode-")));
  const { api, state } = editor(folder);
  const original = Module._load;
  Module._load = (request, ...rest) => (request === "vscode" ? api : original(request, ...rest));
  try {
    for (const name of Object.keys(require.cache).filter((name) => name.startsWith(root) && name !== __filename)) {
      delete require.cache[name];
    }
    return { folder, state, extension: require(path.join(root, "out/extension.js")) };
  } finally {
    Module._load = original;
  }
}

const context = () => ({ subscriptions: [], extensionPath: root });

const CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  names: { kind: Widget, plural: widgets }
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: { type: integer }
`;
const OBJECT = "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: a\nspec:\n  size: large\n";

test("findings of the server are shown", { skip }, async () => {
  const { folder, state, extension } = load();
  fs.writeFileSync(path.join(folder, "crd.yaml"), CRD);
  state.settings["crdgen.path"] = program;
  await extension.activate(context());
  assert.deepStrictEqual(state.errors, []);
  const found = await state.found(state.open("object.yaml", "yaml", OBJECT));
  assert.strictEqual(found.length, 1, JSON.stringify(found));
  assert.match(found[0].message, /size/);
  assert.deepStrictEqual({ ...found[0].range.start }, { line: 5, character: 8 });
  for (const feature of ["Hover", "Definition", "CompletionItem", "CodeActions", "FoldingRange", "Rename", "DocumentSemanticTokens"]) {
    assert.ok(state.providers[`register${feature}Provider`], feature);
  }
  // After a restart, documents that are open are checked again.
  state.diagnostics.clear();
  await state.commands["crdgen.restart"]();
  const again = await state.found(state.documents[0].uri);
  assert.strictEqual(again.length, 1);
  await extension.deactivate();
});

test("arguments are passed, and a change of them starts the server again", { skip }, async () => {
  const { folder, state, extension } = load();
  const log = path.join(folder, "log");
  const script = path.join(folder, "program");
  fs.writeFileSync(script, `#!/bin/sh\necho "$@" >> ${log}\npwd >> ${log}\nexec ${program} "$@"\n`, { mode: 0o755 });
  state.settings["crdgen.path"] = script;
  state.settings["crdgen.arguments"] = ["--lint", "api"];
  await extension.activate(context());
  state.settings["crdgen.arguments"] = [];
  await state.emitters.config.fire({ affectsConfiguration: (name) => name === "crdgen.arguments" });
  await state.emitters.config.fire({ affectsConfiguration: () => false });
  await extension.deactivate();
  assert.deepStrictEqual(state.errors, []);
  const lines = fs.readFileSync(log, "utf8").trim().split("\n");
  assert.deepStrictEqual(lines, ["lsp --lint api --stdio", folder, "lsp --stdio", folder]);
});

test("what the server would store is shown", { skip }, async () => {
  const { folder, state, extension } = load();
  fs.writeFileSync(path.join(folder, "crd.yaml"), CRD.replace("type: integer", "type: integer, default: 3"));
  state.settings["crdgen.path"] = program;
  await extension.activate(context());
  await state.commands["crdgen.showStored"]();
  assert.deepStrictEqual(state.shown, []);
  const uri = state.open("object.yaml", "yaml", OBJECT.replace("  size: large\n", "  {}\n"));
  await state.found(uri);
  state.editor = { document: state.documents[0], selection: { active: { line: 1, character: 0 } } };
  await state.commands["crdgen.showStored"]();
  assert.match(state.shown[0].text, /size: 3\n$/);
  const changed = [];
  state.contents.onDidChange((uri) => changed.push(uri));
  await state.emitters.change.fire({ document: state.documents[0], contentChanges: [] });
  assert.deepStrictEqual(changed, [state.shown[0].uri]);
  await extension.deactivate();
});

test("a missing program is reported", async () => {
  const { state, extension } = load();
  state.settings["crdgen.path"] = "/nothing/crdgen";
  await extension.activate(context());
  // The client shows a message of its own first.
  assert.match(state.errors.at(-1), /cannot start \/nothing\/crdgen: .*crdgen\.path/);
  await extension.deactivate();
});

test("the manifest names what there is", () => {
  const manifest = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
  assert.ok(fs.existsSync(path.join(root, manifest.main)));
  // A workspace must not choose the program.
  assert.strictEqual(manifest.contributes.configuration.properties["crdgen.path"].scope, "machine");
  const readme = fs.readFileSync(path.join(root, "README.md"), "utf8");
  for (const name of Object.keys(manifest.contributes.configuration.properties)) {
    assert.ok(readme.includes(`\`${name}\``), name);
  }
  const lock = fs.readFileSync(path.join(root, "package-lock.json"), "utf8");
  assert.ok(!lock.includes('"resolved"'));
});
