//! Pages of documentation in a browser, if one is installed. `$CRDGEN_SCREENSHOTS` is a folder for pictures of them,
//! and `$CRDGEN_AXE` is the file `axe.min.js`, which checks accessibility.

use std::fs;
use std::path::{Path, PathBuf};

use crdgen::docs::{PageFormat, site};
use crdgen_core::decode;
use crdgen_core::ir::Crd;
use crdgen_tests::corpus;

use super::browser::{Browser, axe};

/// Kinds of the shared corpus whose pages have all kinds of parts.
const SHOWN: &[&str] = &[
    "certificates.cert-manager.io",
    "certificaterequests.cert-manager.io",
    "destinationrules.networking.istio.io",
    "clusterqueues.kueue.x-k8s.io",
    "httproutes.gateway.networking.k8s.io",
];

/// Returns our own CRDs, and some of the shared corpus if it is present.
fn shown() -> Vec<Crd> {
    let shared = corpus::shared_crds().unwrap_or_default().into_iter();
    let shared = shared.filter(|seed| SHOWN.iter().any(|name| seed.name.ends_with(&file_name(name))));
    let seeds = corpus::own_crds().into_iter().chain(shared);
    seeds
        .filter_map(|seed| decode::crd(seed.value).0)
        .chain([super::docs::tricky(), super::docs::stages()])
        .collect()
}

fn file_name(name: &str) -> String {
    format!("/{name}.yaml")
}

/// Writes a site. Returns its folder.
fn written(name: &str, crds: &[Crd]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    for document in site(crds, "Custom resources", PageFormat::Html) {
        fs::write(folder.join(document.name), document.text).expect("a file");
    }
    folder
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut out: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path()).collect();
    out.sort();
    out
}

fn stem(file: &Path) -> String {
    file.file_stem().expect("a name").to_string_lossy().into_owned()
}

/// Nothing is wider than the window, no text is broken letter by letter, nothing is loaded, and there are no errors.
#[test]
fn pages_look_right_everywhere() {
    let Some(mut browser) = Browser::or_skip("looks") else { return };
    for file in files(&written("pages-looks", &shown())) {
        for width in [360, 800, 1400] {
            for scheme in ["light", "dark"] {
                browser.look(width, scheme);
                browser.open(&file, "");
                let name = format!("{}-{width}-{scheme}", stem(&file));
                browser.screenshot(&name);
                // A telephone zooms out until it shows everything, so that `innerWidth` grows.
                let fits = format!("document.documentElement.scrollWidth <= {width}");
                let fits = fits.as_str();
                assert_eq!(browser.value(fits), true, "{name}");
                browser.value("document.querySelectorAll('details').forEach((it) => { it.open = true; })");
                assert_eq!(browser.value(fits), true, "{name}, with everything open");
                // Finds what a reader cannot read: cells that are narrower than a word.
                let narrow = "[...document.querySelectorAll('td, th, dd, .head, summary, .text')]
                    .filter((it) => it.offsetParent && it.textContent.length > 12 && it.offsetWidth < 60).length";
                assert_eq!(browser.value(narrow), 0, "{name}");
                let bad = |event: &serde_json::Value| match event["method"].as_str() {
                    Some("Network.requestWillBeSent") => !event["params"]["request"]["url"]
                        .as_str()
                        .is_some_and(|url| url.starts_with("file:")),
                    Some("Log.entryAdded" | "Runtime.exceptionThrown" | "Runtime.consoleAPICalled") => true,
                    _ => false,
                };
                let bad: Vec<_> = browser.events.iter().filter(|event| bad(event)).collect();
                assert!(bad.is_empty(), "{name}: {bad:#?}");
            }
        }
    }
}

#[test]
fn pages_are_accessible() {
    let Some(mut browser) = Browser::or_skip("accessibility") else { return };
    let Some(axe) = axe() else { return };
    for file in files(&written("pages-axe", &shown())) {
        for (width, scheme) in [(360, "dark"), (1400, "light")] {
            browser.look(width, scheme);
            browser.open(&file, "");
            browser.value("document.querySelectorAll('details').forEach((it) => { it.open = true; })");
            assert_eq!(browser.violations(&axe), "", "{} {width} {scheme}", stem(&file));
        }
    }
}

/// The search finds a field by a part of its name, shows its path, and unfolds it.
#[test]
fn search_leads_to_fields() {
    let Some(mut browser) = Browser::or_skip("search") else { return };
    let folder = written("pages-search", &shown());
    browser.look(1400, "light");
    browser.open(&folder.join("index.html"), "");
    let find = |browser: &mut Browser, text: &str| {
        browser.value(&format!(
            "new Promise((done) => {{ const input = document.getElementById('query'); input.value = {text:?};
            input.dispatchEvent(new Event('input')); setTimeout(done, 300); }})"
        ));
    };
    find(&mut browser, "cront");
    let kinds = "[...document.querySelectorAll('.kind')].filter((it) => it.offsetParent).map((it) => it.textContent).join()";
    assert_eq!(browser.value(kinds), "CronTab");
    find(&mut browser, "spec.cronspec");
    let hit = browser.value("document.querySelector('.hits a').textContent");
    assert_eq!(hit, "CronTab.spec.cronSpec");
    // Hits lead to the fields with their paths.
    find(&mut browser, "e");
    find(&mut browser, "me");
    let hits = browser.value(
        "[...document.querySelectorAll('.hits a')].map((it) => it.textContent + ' ' + it.href).join('\\n')",
    );
    let hits = hits.as_str().expect("a text").to_owned();
    assert!(hits.lines().count() > 5, "{hits}");
    // Opening a page takes a while.
    for hit in hits.lines().step_by(1 + hits.lines().count() / 12) {
        let (path, address) = hit.split_once(' ').expect("two parts");
        let (_, path) = path.split_once('.').expect("a kind and a path");
        let (file, anchor) = address.split_once('#').expect("an anchor");
        browser.open(Path::new(file.trim_start_matches("file://")), &format!("#{anchor}"));
        let found = "document.querySelector('.found .tools code')?.textContent";
        assert_eq!(browser.value(found), path, "{hit}");
    }
    browser.open(&folder.join("docs.example.com_tricks.html"), "#trick.v1.spec.maps.deep");
    let field = "(() => { const it = document.getElementById('trick.v1.spec.maps.deep');
        return it.offsetParent !== null && it.querySelector('.tools code').textContent; })()";
    assert_eq!(browser.value(field), "spec.maps.*[].deep");
    // The clipboard is another process, which can take a while.
    let copied = "(async () => { const button = document.querySelector('.field .tools .copy'); button.click();
        for (let i = 0; i < 500 && button.textContent !== 'Copied'; i++) await new Promise((done) => setTimeout(done, 20));
        return button.textContent; })()";
    assert_eq!(browser.value(copied), "Copied");
}

/// A search without results says so where readers look.
#[test]
fn searches_without_results_say_so() {
    let Some(mut browser) = Browser::or_skip("nothing") else { return };
    let folder = written("pages-nothing", &shown());
    browser.look(800, "light");
    let find = |browser: &mut Browser, input: &str, text: &str| {
        browser.value(&format!(
            "new Promise((done) => {{ const input = document.querySelector({input:?}); input.value = {text:?};
            input.dispatchEvent(new Event('input')); setTimeout(done, 300); }})"
        ));
        browser.value(
            "[...document.querySelectorAll('.none')].filter((it) => it.checkVisibility()).map((it) => it.textContent).join()",
        )
    };
    browser.open(&folder.join("index.html"), "");
    assert_eq!(find(&mut browser, "#query", "nothing<i>"), "No kind or field matches “nothing<i>”.");
    assert_eq!(find(&mut browser, "#query", "cront"), "");
    browser.open(&folder.join("docs.example.com_stages.html"), "");
    assert_eq!(find(&mut browser, ".filter", "nothing<i>"), "No field matches “nothing<i>”.");
    assert_eq!(find(&mut browser, ".filter", "optional"), "");
    // A path through a type finds the field of the type.
    assert_eq!(find(&mut browser, ".filter", "spec.steps[].from.key"), "");
    let shown = "[...document.querySelectorAll('.field')].filter((it) => it.checkVisibility()).map((it) => it.querySelector('.name').textContent).join()";
    assert_eq!(browser.value(shown), "key");
}

/// The addresses of fields in a type lead to the type, and show the whole path.
#[test]
fn addresses_lead_through_types() {
    let Some(mut browser) = Browser::or_skip("types") else { return };
    let folder = written("pages-types", &shown());
    browser.look(800, "light");
    let file = folder.join("docs.example.com_stages.html");
    for (anchor, path) in [
        ("stage.v1.spec.steps.from.key", "spec.steps[].from.key"),
        ("stage.v1.spec.byname.key", "spec.byName.*.key"),
        ("stage.v1_from.key", "From.key"),
        ("stage.v1.spec.schedule", "spec.schedule"),
    ] {
        browser.open(&file, &format!("#{anchor}"));
        assert_eq!(browser.value("document.querySelector('.found .tools code')?.textContent"), path);
    }
    browser.open(&file, "#stage.v1.spec.steps.nothing");
    assert_eq!(browser.value("document.querySelector('.found') === null"), true);
}

/// Everything on a page works without a mouse.
#[test]
fn pages_work_with_a_keyboard() {
    let Some(mut browser) = Browser::or_skip("keyboard") else { return };
    let folder = written("pages-keyboard", &shown());
    browser.look(1400, "light");
    browser.open(&folder.join("docs.example.com_tricks.html"), "");
    browser.press("Tab", 9, "");
    assert_eq!(browser.value("document.activeElement.className"), "skip");
    browser.press("/", 191, "/");
    assert_eq!(browser.value("document.activeElement.className"), "filter");
    for key in ["d", "e", "e", "p"] {
        browser.press(key, 0, key);
    }
    let shown = "new Promise((done) => setTimeout(() => done([...document.querySelectorAll('section:first-of-type .field')]
        .filter((it) => it.checkVisibility()).map((it) => it.querySelector('.name').textContent).join()), 400))";
    assert_eq!(browser.value(shown), "spec,maps,deep");
    assert_eq!(browser.value("document.getElementById('status').textContent"), "1 field");
    browser.open(&folder.join("docs.example.com_tricks.html"), "");
    let focus = "document.querySelector('.fields details:not([open]) > summary').focus()";
    browser.value(focus);
    browser.press("Enter", 13, "\r");
    assert_eq!(browser.value("document.activeElement.parentElement.open"), true);
}

/// When printed, everything is unfolded, and controls for screens are hidden.
#[test]
fn pages_print() {
    let Some(mut browser) = Browser::or_skip("print") else { return };
    let folder = written("pages-print", &shown());
    browser.look(800, "dark");
    browser.open(&folder.join("docs.example.com_tricks.html"), "");
    let hidden = "[...document.querySelectorAll('.name')].filter((it) => !it.checkVisibility()).length";
    assert_ne!(browser.value(hidden), 0);
    browser.call("Emulation.setEmulatedMedia", serde_json::json!({"media": "print"}));
    browser.value("dispatchEvent(new Event('beforeprint'))");
    assert_eq!(browser.value(hidden), 0);
    assert_eq!(browser.value("getComputedStyle(document.querySelector('.link')).display"), "none");
    browser.value("dispatchEvent(new Event('afterprint'))");
    browser.call("Emulation.setEmulatedMedia", serde_json::json!({"media": "screen"}));
    assert_ne!(browser.value(hidden), 0);
}

/// Texts that have worked as attacks against other pages do nothing here.
#[test]
fn hostile_texts_do_nothing() {
    let Some(mut browser) = Browser::or_skip("hostile") else { return };
    let acting = [
        "<script>window.acted = 1</script>",
        "</script><script>window.acted = 1</script>",
        "<img src=x onerror='window.acted = 1'>",
        "</style></title></code></pre><svg onload='window.acted = 1'>",
        "<style>main { display: none }</style>",
        "[x](javascript:window.acted=1) <a href='javascript:window.acted=1'>x</a>",
        "<base href='https://example.com/'><link rel=stylesheet href='https://example.com/x.css'>",
        "<meta http-equiv=refresh content='0; url=https://example.com'>",
        "</main></body></html><iframe src='https://example.com'></iframe>",
        "\" onfocus=\"window.acted = 1\" autofocus=\"",
    ];
    let all = acting
        .iter()
        .map(|text| super::markup::definition(text))
        .chain([super::markup::definition(&acting.join("\n"))]);
    for (at, crd) in all.enumerate() {
        browser.look(800, "light");
        for file in files(&written("pages-hostile", &[crd])) {
            browser.open(&file, "");
            let name = format!("text {at}: {}", stem(&file));
            browser.value("document.querySelectorAll('a, input, summary').forEach((it) => it.focus())");
            assert_eq!(browser.value("window.acted === undefined"), true, "{name}");
            assert_eq!(browser.value("document.querySelector('main').checkVisibility()"), true, "{name}");
            let scripts = "[...document.querySelectorAll('script:not([type])')].length === 1 && !document.querySelector('main script:not([type]), iframe, img, svg, base, link')";
            assert_eq!(browser.value(scripts), true, "{name}");
            let schemes = "[...document.links].filter((it) => !['https:', 'http:', 'file:'].includes(it.protocol)).length";
            assert_eq!(browser.value(schemes), 0, "{name}");
            let foreign = browser.events.iter().filter(|event| {
                event["method"] == "Network.requestWillBeSent"
                    && !event["params"]["request"]["url"].as_str().is_some_and(|url| url.starts_with("file:"))
            });
            assert_eq!(foreign.count(), 0, "{name}");
        }
    }
}

/// A page for a CRD of a megabyte opens in less than a second. This measures processor time, because other work shares
/// the machine: the time of the thread that parses the page, runs its script and lays it out.
#[test]
fn large_pages_open_at_once() {
    let Some(mut browser) = Browser::or_skip("large") else { return };
    let megabyte = |seed: &corpus::Seed| seed.text.len() > 1_000_000;
    let Some(seed) = corpus::shared_crds().unwrap_or_default().into_iter().find(megabyte) else {
        return crdgen_tests::skip("large pages", "no CRD of a megabyte; set $CRDGEN_CORPUS");
    };
    let crd = decode::crd(seed.value).0.expect("a definition");
    let folder = written("pages-large", &[crd]);
    let file = files(&folder).into_iter().find(|file| stem(file) != "index").expect("a page");
    browser.look(1400, "light");
    let times = (0..3).map(|_| {
        browser.restart_processor_time();
        browser.open(&file, "");
        // Waits until the page is drawn.
        browser.value("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
        browser.processor_time()
    });
    let best = times.fold(f64::INFINITY, f64::min);
    println!("{}: {} bytes, open after {best:.3} s of processor time", seed.name, seed.text.len());
    assert!(best < 1.0, "{best:.3} s of processor time");
}
