//! Watches, which begin again where they ended.

use super::client::list;
use super::linear::{Answer, Line, Linear};
use super::{MAPS, World};
use crate::common::request;
use crdgen_apiserver::{ResponseBody, Server};
use crdgen_core::json;
use http_body_util::BodyExt;
use std::rc::Rc;
use std::time::Duration;
use tokio::time::timeout;
use tower_service::Service;

async fn start(server: &Server, query: &str) -> (u16, ResponseBody) {
    let Ok(answer) = server.clone().call(request("GET", &format!("{MAPS}?watch=1&{query}"), "", "")).await;
    (answer.status().as_u16(), answer.into_body())
}

async fn next(body: &mut ResponseBody) -> Option<Line> {
    let frame = body.frame().await?.ok()?.into_data().ok()?;
    Line::read(&json::read(&frame).expect("a line is JSON"))
}

/// The watch that sees the whole history: no fault concerns it.
pub(crate) struct Reference {
    body: ResponseBody,
    pub(crate) events: Vec<Line>,
}

impl Reference {
    pub(crate) async fn new(server: &Server) -> Reference {
        let (code, body) = start(server, "").await;
        assert_eq!(code, 200);
        Reference { body, events: Vec::new() }
    }

    /// Goes on with another server, which has everything that was acknowledged. What has happened since the last line is what its
    /// objects show.
    pub(crate) async fn go_on(&mut self, server: &Server) {
        let (revision, objects) = list(server, "").await.expect("a list");
        self.events = Linear::new(std::mem::take(&mut self.events)).up_to(revision, &objects);
        let (code, body) = start(server, &format!("resourceVersion={revision}")).await;
        assert_eq!(code, 200);
        self.body = body;
    }

    /// Reads all lines that there are.
    pub(crate) async fn drain(&mut self) {
        while let Ok(Some(line)) = timeout(Duration::from_secs(1), next(&mut self.body)).await {
            self.events.push(line);
        }
    }
}

/// Lists and watches, as informers do.
pub(crate) async fn watch(world: Rc<World>, selector: String) {
    let query = format!("labelSelector={}", selector.replace('=', "%3D"));
    loop {
        let known = world.answers.borrow().known;
        let quiet = world.quiet.read().await;
        let listed = list(&world.server(), &query).await;
        drop(quiet);
        let answer =
            Answer::Listed { selector: selector.clone(), known, exact: None, listed: listed.clone() };
        world.answers.borrow_mut().add(answer);
        match listed {
            Ok((revision, _)) => follow(&world, &selector, &query, revision).await,
            Err(_) => tokio::time::sleep(Duration::from_millis(5)).await,
        }
    }
}

/// Watches from a revision until the client has to list again.
async fn follow(world: &Rc<World>, selector: &str, query: &str, mut revision: u64) {
    loop {
        let segment = world.answers.borrow_mut().segment(selector, revision);
        let (code, mut body) = start(&world.server(), &format!("{query}&resourceVersion={revision}")).await;
        if code != 200 {
            world.answers.borrow_mut().failed(code);
            if code == 410 {
                return;
            }
            continue;
        }
        while let Some(line) = next(&mut body).await {
            if line.ty == "ERROR" {
                world.answers.borrow_mut().failed(410);
                return;
            }
            revision = line.object.revision;
            world.answers.borrow_mut().line(segment, line);
        }
    }
}
