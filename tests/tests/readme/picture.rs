//! Draws the picture of an error in the README: the command's output with colours, as SVG. `UPDATE=1` draws it again.

use std::fmt::Write;
use std::fs;
use std::process::Command;

const CHARACTER: f64 = 7.83;
const LINE: usize = 19;
const MARGIN: usize = 16;
/// Breaks longer lines, as a terminal does.
const COLUMNS: usize = 96;

/// Background, text, and the colours of a terminal: red, yellow and blue.
struct Colours {
    name: &'static str,
    back: &'static str,
    text: &'static str,
    red: &'static str,
    yellow: &'static str,
    blue: &'static str,
}

const SCHEMES: [Colours; 2] = [
    Colours {
        name: "light",
        back: "#f6f8fa",
        text: "#1f2328",
        red: "#b3202c",
        yellow: "#7a5200",
        blue: "#0b5cb8",
    },
    Colours {
        name: "dark",
        back: "#161b22",
        text: "#e6edf3",
        red: "#ff8182",
        yellow: "#e3b341",
        blue: "#79c0ff",
    },
];

/// The style of a character: whether it is bold, and the number of its colour.
#[derive(Clone, Copy, Default, PartialEq)]
struct Style {
    bold: bool,
    colour: u32,
}

#[test]
fn the_picture_is_what_the_command_prints() {
    let root = super::root();
    let out = Command::new(env!("CARGO_BIN_EXE_tool"))
        .args(["check", "goods.yaml"])
        .current_dir(root.join("tests/goldens/picture"))
        .env("CLICOLOR_FORCE", "1")
        .env_remove("NO_COLOR")
        .output()
        .expect("the command starts");
    let text = String::from_utf8(out.stdout).expect("a text") + &String::from_utf8_lossy(&out.stderr);
    assert!(text.contains("\u{1b}["), "no colours: {text}");
    for colours in &SCHEMES {
        let file = root.join(format!("tests/goldens/picture/error-{}.svg", colours.name));
        let drawn = draw(&lines(&text), colours);
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&file, &drawn).expect("a picture");
        }
        let found = fs::read_to_string(&file).unwrap_or_default();
        assert!(found == drawn, "{} differs: run with UPDATE=1", file.display());
    }
}

/// Returns the characters of each line with their styles.
fn lines(text: &str) -> Vec<Vec<(char, Style)>> {
    let mut out =
        vec!["$ crdgen check goods.yaml".chars().map(|c| (c, Style::default())).collect::<Vec<_>>()];
    let mut style = Style::default();
    for line in text.trim_end().lines() {
        let mut current = Vec::new();
        let mut rest = line;
        while let Some(c) = rest.chars().next() {
            if let Some((codes, after)) = rest.strip_prefix("\u{1b}[").and_then(|it| it.split_once('m')) {
                for code in codes.split(';').map(|code| code.parse().unwrap_or(0)) {
                    match code {
                        0 => style = Style::default(),
                        1 => style.bold = true,
                        code => style.colour = code,
                    }
                }
                rest = after;
                continue;
            }
            if current.len() == COLUMNS {
                let end = current.iter().rposition(|(c, _)| *c == ' ').map_or(COLUMNS, |at| at + 1);
                let next = current.split_off(end);
                out.push(std::mem::replace(&mut current, next));
            }
            current.push((c, style));
            rest = &rest[c.len_utf8()..];
        }
        out.push(current);
    }
    out
}

fn draw(lines: &[Vec<(char, Style)>], colours: &Colours) -> String {
    let Colours { back, text, red, yellow, blue, .. } = colours;
    let width = (CHARACTER * COLUMNS as f64).ceil() as usize + 2 * MARGIN;
    let height = lines.len() * LINE + 2 * MARGIN;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" aria-label=\"crdgen check prints an error with its place in the file\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{back}\"/>\n\
         <g font-family=\"ui-monospace,SFMono-Regular,Menlo,Consolas,monospace\" font-size=\"13\" fill=\"{text}\" \
         style=\"white-space:pre\">\n"
    );
    for (at, line) in lines.iter().enumerate() {
        let y = MARGIN + at * LINE + 13;
        let mut column = 0;
        for run in line.chunk_by(|a, b| a.1 == b.1) {
            let style = run[0].1;
            let fill = match style.colour {
                31 | 91 => red,
                33 | 93 => yellow,
                34 | 36 | 94 | 96 => blue,
                _ => text,
            };
            let weight = if style.bold { " font-weight=\"bold\"" } else { "" };
            let plain: String = run.iter().map(|(c, _)| *c).collect();
            let spaces = plain.len() - plain.trim_start().len();
            let shown = plain.trim().replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            let x = MARGIN as f64 + CHARACTER * (f64::from(column) + spaces as f64);
            // This length keeps columns aligned in any font.
            let length = CHARACTER * plain.trim().chars().count() as f64;
            if !shown.is_empty() {
                _ = writeln!(
                    out,
                    "<text x=\"{x:.1}\" y=\"{y}\" fill=\"{fill}\"{weight} textLength=\"{length:.1}\">{shown}</text>"
                );
            }
            column += u32::try_from(run.len()).expect("a short line");
        }
    }
    out.push_str("</g>\n</svg>\n");
    out
}
