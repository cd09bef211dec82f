//! Writes the JavaScript that calls a WebAssembly module: `crdgen-playground-glue MODULE FOLDER` writes `glue.js` and
//! `glue_bg.wasm`.

use anyhow::{Context, bail};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [module, folder] = &arguments[..] else { bail!("usage: crdgen-playground-glue MODULE FOLDER") };
    let mut bindgen = Bindgen::new();
    bindgen.no_modules(true)?.typescript(false).remove_name_section(true).remove_producers_section(true);
    bindgen.input_path(module).out_name("glue");
    bindgen.generate(folder).with_context(|| format!("cannot write the glue of {module}"))
}
