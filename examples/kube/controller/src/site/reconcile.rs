//! The controller creates a page object for each page of a site.

use super::kinds::{Page, PageSpec, Phase, Site, SiteStatus};
use futures::StreamExt;
use kube::api::{Api, DeleteParams, ListParams, ObjectMeta, Patch, PatchParams};
use kube::core::object::HasSpec;
use kube::runtime::controller::{Action, Controller};
use kube::runtime::events::{Event, EventType, Recorder};
use kube::runtime::finalizer::{Event as Finalizing, finalizer};
use kube::runtime::watcher;
use kube::{Client, Resource, ResourceExt};
use serde_json::json;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

const NAME: &str = "site-controller";
const FINALIZER: &str = "www.example.com/pages";
const SITE: &str = "www.example.com/site";

/// What the controller works with.
struct Context {
    client: Client,
    events: Recorder,
}

/// What can go wrong.
#[derive(Debug)]
pub enum Error {
    /// A request failed.
    Request(kube::Error),
    /// The finalizer failed.
    Finalizer(Box<kube::runtime::finalizer::Error<Error>>),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Request(error) => error.fmt(f),
            Error::Finalizer(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

impl From<kube::Error> for Error {
    fn from(error: kube::Error) -> Self {
        Error::Request(error)
    }
}

/// Runs until it is dropped.
pub async fn run(client: Client) {
    let events = Recorder::new(client.clone(), NAME.into());
    let context = Arc::new(Context { client: client.clone(), events });
    Controller::new(Api::<Site>::all(client.clone()), watcher::Config::default())
        .owns(Api::<Page>::all(client), watcher::Config::default())
        .run(reconcile, on_error, context)
        .for_each(|done| async move {
            if let Err(error) = done {
                eprintln!("{NAME}: {error:?}");
            }
        })
        .await;
}

async fn reconcile(site: Arc<Site>, context: Arc<Context>) -> Result<Action, Error> {
    let namespace = site.namespace().unwrap_or_default();
    let sites: Api<Site> = Api::namespaced(context.client.clone(), &namespace);
    finalizer(&sites, FINALIZER, site, |event| async {
        match event {
            Finalizing::Apply(site) => apply(&site, &sites, &context).await,
            Finalizing::Cleanup(site) => clean_up(&site, &context).await,
        }
    })
    .await
    .map_err(|error| Error::Finalizer(Box::new(error)))
}

fn on_error(_: Arc<Site>, _: &Error, _: Arc<Context>) -> Action {
    Action::requeue(Duration::from_secs(1))
}

/// Creates the pages of the site, removes other pages, and records both.
async fn apply(site: &Site, sites: &Api<Site>, context: &Context) -> Result<Action, Error> {
    let pages: Api<Page> = Api::namespaced(context.client.clone(), &site.namespace().unwrap_or_default());
    let applier = PatchParams::apply(NAME).force();
    let wanted: Vec<Page> = site.spec().pages.iter().map(|leaf| page(site, &leaf.name, &leaf.text)).collect();
    for page in &wanted {
        pages.patch(&page.name_any(), &applier, &Patch::Apply(page)).await?;
    }
    for old in pages.list(&of(site)).await? {
        if !wanted.iter().any(|page| page.name_any() == old.name_any()) {
            pages.delete(&old.name_any(), &DeleteParams::default()).await?;
        }
    }
    let status = SiteStatus {
        phase: Phase::Ready,
        pages: i32::try_from(wanted.len()).unwrap_or(i32::MAX),
        observed_generation: site.meta().generation,
    };
    if site.status.as_ref() != Some(&status) {
        let patch =
            json!({ "apiVersion": Site::api_version(&()), "kind": Site::kind(&()), "status": status });
        sites.patch_status(&site.name_any(), &applier, &Patch::Apply(patch)).await?;
        publish_event(site, context, "Published", format!("{} pages", wanted.len())).await?;
    }
    Ok(Action::requeue(Duration::from_secs(300)))
}

/// Removes the pages before the site is removed.
async fn clean_up(site: &Site, context: &Context) -> Result<Action, Error> {
    let pages: Api<Page> = Api::namespaced(context.client.clone(), &site.namespace().unwrap_or_default());
    for page in pages.list(&of(site)).await? {
        pages.delete(&page.name_any(), &DeleteParams::default()).await?;
    }
    publish_event(site, context, "Withdrawn", "all pages are gone".to_owned()).await?;
    Ok(Action::await_change())
}

fn of(site: &Site) -> ListParams {
    ListParams::default().labels(&format!("{SITE}={}", site.name_any()))
}

fn page(site: &Site, name: &str, text: &str) -> Page {
    let spec = PageSpec { title: site.spec.title.clone(), text: text.to_owned() };
    let mut page = Page::new(&format!("{}-{name}", site.name_any()), spec);
    page.labels_mut().insert(SITE.to_owned(), site.name_any());
    *page.meta_mut() = ObjectMeta {
        namespace: site.namespace(),
        owner_references: site.controller_owner_ref(&()).map(|owner| vec![owner]),
        ..page.meta().clone()
    };
    page
}

async fn publish_event(site: &Site, context: &Context, reason: &str, note: String) -> Result<(), Error> {
    let event = Event {
        type_: EventType::Normal,
        reason: reason.to_owned(),
        note: Some(note),
        action: "Reconcile".to_owned(),
        secondary: None,
    };
    Ok(context.events.publish(&event, &site.object_ref(&())).await?)
}
