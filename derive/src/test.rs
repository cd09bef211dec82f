//! `#[crdgen::test]`: a test with a server in its process.

use proc_macro::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

/// What is wrong with the attribute or the function.
struct Mistake {
    at: Span,
    text: String,
}

fn mistake(at: Span, text: impl Into<String>) -> Mistake {
    Mistake { at, text: text.into() }
}

pub(crate) fn expand(arguments: TokenStream, item: TokenStream) -> TokenStream {
    match test(arguments, item.clone()) {
        Ok(test) => test,
        Err(Mistake { at, text }) => {
            let message = TokenStream::from(TokenTree::from(proc_macro::Literal::string(&text)));
            let error: TokenStream = "::core::compile_error!".parse().unwrap_or_default();
            let mut error: TokenStream = error
                .into_iter()
                .chain([TokenTree::from(Group::new(Delimiter::Brace, message))])
                .map(|mut token| {
                    token.set_span(at);
                    token
                })
                .collect();
            error.extend(item);
            error
        }
    }
}

fn test(arguments: TokenStream, item: TokenStream) -> Result<TokenStream, Mistake> {
    let (first, end) = seeds(arguments)?;
    let tokens: Vec<TokenTree> = item.into_iter().collect();
    let is = |token: Option<&TokenTree>, text: &str| token.is_some_and(|token| token.to_string() == text);
    // Attributes such as `#[ignore]` belong to the function that is the test.
    let mut start = 0;
    while is(tokens.get(start), "#") && matches!(tokens.get(start + 1), Some(TokenTree::Group(_))) {
        start += 2;
    }
    let (attributes, function) = tokens.split_at(start);
    let place = function.first().map_or_else(Span::call_site, TokenTree::span);
    let at_fn = function.iter().position(|token| token.to_string() == "fn");
    let is_async = at_fn.is_some_and(|at| function[..at].iter().any(|token| token.to_string() == "async"));
    let name = at_fn.and_then(|at| function.get(at + 1));
    let (Some(TokenTree::Ident(name)), true) = (name, is_async) else {
        let text = "`#[crdgen::test]` is for asynchronous functions: write `async fn name(server: Server)`";
        return Err(mistake(place, text));
    };
    let call = parse("::crdgen::testing::run")?;
    let mut arguments = parse(&format!("{first}u64..{end}u64,"))?;
    arguments.extend([TokenTree::from(name.clone())]);
    let mut body: TokenStream = function.iter().cloned().collect();
    body.extend(call);
    body.extend([TokenTree::from(Group::new(Delimiter::Parenthesis, arguments))]);
    let mut out: TokenStream = attributes.iter().cloned().collect();
    out.extend(parse("#[::core::prelude::v1::test] fn")?);
    out.extend([
        TokenTree::from(Ident::new(&name.to_string(), name.span())),
        TokenTree::from(Group::new(Delimiter::Parenthesis, TokenStream::new())),
        TokenTree::from(Group::new(Delimiter::Brace, body)),
    ]);
    Ok(out)
}

fn parse(text: &str) -> Result<TokenStream, Mistake> {
    text.parse().map_err(|_| mistake(Span::call_site(), "this is not Rust"))
}

/// The first seed, and the one after the last.
fn seeds(arguments: TokenStream) -> Result<(u64, u64), Mistake> {
    let tokens: Vec<TokenTree> = arguments.into_iter().collect();
    let wrong = |at: Span| mistake(at, "write `seeds = 100`, or `seed = 17` to run one of them again");
    match &tokens[..] {
        [] => Ok((0, 1)),
        [TokenTree::Ident(name), TokenTree::Punct(equals), TokenTree::Literal(number)]
            if equals.as_char() == '=' =>
        {
            let value: u64 = number.to_string().replace('_', "").parse().map_err(|_| wrong(number.span()))?;
            match name.to_string().as_str() {
                "seeds" => Ok((0, value)),
                "seed" => Ok((value, value.saturating_add(1))),
                _ => Err(wrong(name.span())),
            }
        }
        [first, ..] => Err(wrong(first.span())),
    }
}
