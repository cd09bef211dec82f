//! Reads all YAML below a directory: `cargo run --release --example yaml_speed --features yaml -- DIR`.

use std::path::Path;
use std::time::Instant;

fn main() {
    let dir = std::env::args().nth(1).unwrap_or_else(|| "../shared/corpus/crds".into());
    let mut files = Vec::new();
    collect(Path::new(&dir), &mut files);
    let bytes: usize = files.iter().map(|(_, text)| text.len()).sum();
    let (mut best, mut documents, mut problems) = (f64::INFINITY, 0, 0);
    for round in 0..5 {
        let start = Instant::now();
        (documents, problems) = (0, 0);
        for (name, text) in &files {
            let (found, diags) = crdgen_core::yaml::read(text);
            documents += found.len();
            problems += diags.len();
            if round == 0 {
                for diag in diags {
                    println!("{name}: {}", diag.text());
                }
            }
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    let mb = bytes as f64 / 1e6;
    println!("{} files, {mb:.1} MB, {documents} documents, {problems} problems", files.len());
    println!("text to value: {:.1} ms, {:.0} MB/s", best * 1e3, mb / best);
}

fn collect(path: &Path, out: &mut Vec<(String, Vec<u8>)>) {
    if let Ok(entries) = std::fs::read_dir(path) {
        let mut entries: Vec<_> = entries.flatten().map(|e| e.path()).collect();
        entries.sort();
        entries.iter().for_each(|p| collect(p, out));
    } else if path.extension().is_some_and(|e| e == "yaml" || e == "yml" || e == "json") {
        out.extend(std::fs::read(path).ok().map(|text| (path.display().to_string(), text)));
    }
}
