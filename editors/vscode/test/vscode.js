// A stub of the module `vscode`: as much of the editor as the extension and its client use. Whatever else they touch is an empty
// class, or a function that returns something to dispose of.
"use strict";

const path = require("node:path");
const url = require("node:url");

class Disposable {
  constructor(dispose = () => {}) {
    this.dispose = dispose;
  }
  static from(...all) {
    return new Disposable(() => all.forEach((it) => it.dispose()));
  }
}

class EventEmitter {
  listeners = new Set();
  event = (listener, self, disposables) => {
    const bound = self ? listener.bind(self) : listener;
    this.listeners.add(bound);
    const disposable = new Disposable(() => this.listeners.delete(bound));
    disposables?.push(disposable);
    return disposable;
  };
  fire(value) {
    return Promise.all([...this.listeners].map((listener) => listener(value)));
  }
  dispose() {
    this.listeners.clear();
  }
}

class CancellationTokenSource {
  emitter = new EventEmitter();
  token = { isCancellationRequested: false, onCancellationRequested: this.emitter.event };
  cancel() {
    this.token.isCancellationRequested = true;
    this.emitter.fire();
  }
  dispose() {}
}

class Uri {
  constructor(text) {
    this.text = text;
    this.scheme = text.split(":")[0];
    this.path = new URL(text).pathname;
    this.fsPath = this.scheme === "file" ? url.fileURLToPath(text) : this.path;
  }
  static file(name) {
    return new Uri(url.pathToFileURL(name).href);
  }
  static from({ scheme, path, query }) {
    return Object.assign(new Uri(`${scheme}:/${path}`), { query });
  }
  static parse(text) {
    return new Uri(text);
  }
  toString() {
    return this.text;
  }
}

class Position {
  constructor(line, character) {
    Object.assign(this, { line, character });
  }
}

class Range {
  constructor(...at) {
    const [start, end] = at.length === 4 ? [new Position(at[0], at[1]), new Position(at[2], at[3])] : at;
    Object.assign(this, { start, end });
  }
}

class Diagnostic {
  constructor(range, message, severity) {
    Object.assign(this, { range, message, severity });
  }
}

/** An object whose unknown members are made by `fallback`. */
function withRest(known, fallback) {
  const made = new Map();
  return new Proxy(known, {
    get(target, name) {
      if (name in target || typeof name === "symbol" || name === "then") {
        return target[name];
      }
      if (!made.has(name)) {
        made.set(name, fallback(name));
      }
      return made.get(name);
    },
  });
}

/** An editor with a folder. */
function editor(folder) {
  const emitters = { config: new EventEmitter(), open: new EventEmitter(), change: new EventEmitter(), close: new EventEmitter() };
  const state = { editor: undefined, shown: [], settings: {}, commands: {}, errors: [], diagnostics: new Map(), providers: {}, documents: [], emitters };
  const changed = new EventEmitter();
  const nothing = () => new Disposable();
  const provider = (name) => (...given) => {
    const provider = given.find((it) => it !== null && typeof it === "object" && Object.values(it).some((of) => typeof of === "function"));
    (state.providers[name] ??= []).push(provider);
    return new Disposable();
  };
  const namespace = (known) => withRest(known, (name) => (name.startsWith("register") ? provider(name) : nothing));
  const folders = [{ uri: Uri.file(folder), name: path.basename(folder), index: 0 }];
  const workspace = namespace({
    workspaceFolders: folders,
    textDocuments: state.documents,
    notebookDocuments: [],
    onDidChangeConfiguration: emitters.config.event,
    onDidOpenTextDocument: emitters.open.event,
    onDidChangeTextDocument: emitters.change.event,
    onDidCloseTextDocument: emitters.close.event,
    registerTextDocumentContentProvider: (_, provider) => {
      state.contents = provider;
      return new Disposable();
    },
    openTextDocument: async (uri) => ({ uri, text: await state.contents.provideTextDocumentContent(uri) }),
    getWorkspaceFolder: () => folders[0],
    getConfiguration: (section) => ({ get: (name, otherwise) => state.settings[`${section}.${name}`] ?? otherwise }),
    createFileSystemWatcher: () => namespace({ onDidCreate: nothing, onDidChange: nothing, onDidDelete: nothing, dispose() {} }),
  });
  const channel = () => ({ append() {}, appendLine() {}, show() {}, dispose() {}, clear() {} });
  const api = withRest(
    {
      version: "1.91.0",
      Disposable, EventEmitter, CancellationTokenSource, Uri, Position, Range, Diagnostic,
      DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
      TextDocumentSaveReason: {},
      env: { appName: "stub", language: "en" },
      extensions: { all: [], getExtension() {}, onDidChange: nothing },
      workspace,
      window: namespace({
        createOutputChannel: channel,
        showErrorMessage: async (message) => void state.errors.push(message),
        tabGroups: { all: [], onDidChangeTabs: nothing },
        visibleTextEditors: [],
        get activeTextEditor() {
          return state.editor;
        },
        showTextDocument: async (document) => void state.shown.push(document),
      }),
      commands: namespace({
        registerCommand: (name, run) => {
          state.commands[name] = run;
          return new Disposable();
        },
      }),
      languages: namespace({
        match: (selector, document) => [selector].flat().some((it) => it.language === document.languageId && it.scheme === document.uri.scheme) ? 1 : 0,
        createDiagnosticCollection: () => ({
          set(uri, all) {
            state.diagnostics.set(uri.toString(), all);
            changed.fire();
          },
          delete: (uri) => state.diagnostics.delete(uri.toString()),
          clear: () => state.diagnostics.clear(),
          dispose() {},
        }),
      }),
      CodeActionKind: withRest({}, (name) => ({ value: name, append: () => ({}) })),
      LanguageStatusSeverity: {},
    },
    (name) => class {},
  );
  /** Opens a document, as an editor does when a user opens a file. */
  state.open = (name, languageId, text) => {
    const uri = Uri.file(path.join(folder, name));
    const document = { uri, languageId, version: 1, fileName: uri.fsPath, isUntitled: false, isClosed: false, isDirty: false, getText: () => text };
    state.documents.push(document);
    emitters.open.fire(document);
    return uri;
  };
  /** Waits for diagnostics of a document. */
  state.found = (uri) =>
    new Promise((resolve) => {
      const look = () => {
        const all = state.diagnostics.get(uri.toString());
        if (all !== undefined) {
          subscription.dispose();
          resolve(all);
        }
      };
      const subscription = changed.event(look);
      look();
    });
  return { api, state };
}

module.exports = { editor };
