//! Random objects of every version, there and back, with edits in between.

#[test]
fn no_object_is_lost() {
    let start = std::time::Instant::now();
    let count = std::env::var("VERSIONS_COUNT").ok().and_then(|count| count.parse().ok()).unwrap_or(500);
    versions::versions().lossless(count).unwrap_or_else(|lossy| panic!("{lossy}"));
    eprintln!("{count} objects of each pair in {:?}", start.elapsed());
}
