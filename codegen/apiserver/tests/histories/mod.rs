//! Random histories of four clients, with faults. Every answer and every watch must agree with one linear history: nothing is lost,
//! nothing comes twice, and no revision goes back. `CRDGEN_HISTORIES` sets how many there are, and `CRDGEN_HISTORY` runs one again.
//!
//! In half of them, the server has a storage, which dies some times in the middle of a request. Another server goes on with what it has
//! written: all that was acknowledged is there, and a request without an answer has happened or not.

mod client;
mod disk;
mod linear;
mod watcher;

use client::Client;
use crdgen_apiserver::{Fault, Rule, Server};
use disk::{Death, Disk};
use linear::{Answers, Linear, Object};
use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::rc::Rc;
use std::time::Duration;
use tokio::sync::{Mutex, RwLock};
use tokio::task::LocalSet;

const MAPS: &str = "/api/v1/namespaces/default/configmaps";
const NAMES: [&str; 4] = ["a", "b", "c", "d"];
/// Longer than all delays together.
const LONG: Duration = Duration::from_secs(600);

/// Random numbers from a seed.
#[derive(Clone, Debug)]
struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % most
    }

    fn one_of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[usize::try_from(self.below(all.len() as u64)).unwrap_or_default()]
    }
}

/// What all tasks of a history share.
struct World {
    /// The server that runs now.
    server: RefCell<Server>,
    /// Where it saves its objects, if it does.
    disk: Option<Disk>,
    answers: RefCell<Answers>,
    /// The task that forgets changes waits until no client asks.
    quiet: RwLock<()>,
    /// The next number that is in no object yet.
    next: Cell<u64>,
}

impl World {
    fn server(&self) -> Server {
        self.server.borrow().clone()
    }

    fn number(&self) -> u64 {
        self.next.set(self.next.get() + 1);
        self.next.get()
    }
}

/// Makes some requests fail.
fn inject(world: &World, random: &mut Random) {
    for _ in 0..random.below(8) {
        let (fault, verb) = match random.below(9) {
            0 => (Fault::Conflict, random.one_of(&["create", "update", "patch"])),
            1 => (Fault::TooManyRequests, random.one_of(&["create", "list", "patch"])),
            2 => (Fault::Internal, random.one_of(&["update", "delete"])),
            3 => (Fault::Unavailable, random.one_of(&["get", "patch"])),
            4 => (Fault::Expired, random.one_of(&["list", "watch"])),
            5 => (Fault::Stale(random.below(4) + 1), "list"),
            6 => (Fault::EndWatch(usize::try_from(random.below(4)).unwrap_or_default()), "watch"),
            7 => (Fault::DelayWatch(Duration::from_millis(random.below(200))), "watch"),
            _ => (Fault::LostResponse, random.one_of(&["create", "update", "patch", "delete"])),
        };
        world.answers.borrow_mut().injected(fault);
        let after = usize::try_from(random.below(12)).unwrap_or_default();
        world.server().inject(Rule::new(fault).verb(verb).resource("configmaps").after(after));
    }
}

/// Starts the server again each time its storage has died, and lets it die once more.
async fn revive(world: Rc<World>, reference: Rc<Mutex<watcher::Reference>>, mut random: Random) {
    let Some(disk) = &world.disk else { return };
    for _ in 0..4 {
        let death = if random.below(2) == 0 { Death::BeforeWriting } else { Death::AfterWriting };
        disk.dies(usize::try_from(random.below(12)).unwrap_or_default(), death);
        disk.died().await;
        // Requests that the old server got end before the new one starts.
        let all = world.quiet.write().await;
        let mut reference = reference.lock().await;
        reference.drain().await;
        let server = restarted(disk, random.below(u64::MAX));
        *world.server.borrow_mut() = server.clone();
        reference.go_on(&server).await;
        world.answers.borrow_mut().died();
        drop(all);
    }
}

fn restarted(disk: &Disk, seed: u64) -> Server {
    let server = Server::with_storage_in_requests(seed, disk.opened_again()).expect("a server");
    server.shuffle(seed);
    server
}

async fn history(server: Server, disk: Option<Disk>, seed: u64) {
    let mut random = Random(seed);
    let world = Rc::new(World {
        server: RefCell::new(server.clone()),
        disk,
        answers: RefCell::default(),
        quiet: RwLock::new(()),
        next: Cell::new(0),
    });
    let reference = Rc::new(Mutex::new(watcher::Reference::new(&server).await));
    inject(&world, &mut random);
    let tasks = LocalSet::new();
    let mut helpers: Vec<_> = (0..3)
        .map(|number| {
            let selector = if number == 0 { "" } else { random.one_of(&["", "x=0", "x=1"]) };
            tasks.spawn_local(watcher::watch(Rc::clone(&world), selector.to_owned()))
        })
        .collect();
    let clients: Vec<_> = (0..4)
        .map(|number| {
            let client = Client::new(Rc::clone(&world), Random(random.below(u64::MAX)), number);
            tasks.spawn_local(client.run())
        })
        .collect();
    let forgetting = random.below(3) == 0;
    let deaths = Random(random.below(u64::MAX));
    helpers.push(tasks.spawn_local(revive(Rc::clone(&world), Rc::clone(&reference), deaths)));
    let (forgetter, known) = (Rc::clone(&world), Rc::clone(&reference));
    tasks
        .run_until(async move {
            if forgetting {
                tokio::time::sleep(Duration::from_millis(40)).await;
                let all = forgetter.quiet.write().await;
                known.lock().await.drain().await;
                forgetter.server().forget_changes();
                forgetter.answers.borrow_mut().forgotten = true;
                drop(all);
            }
            for client in clients {
                client.await.expect("the client ends");
            }
            forgetter.server().heal();
            tokio::time::sleep(LONG).await;
            for helper in helpers {
                helper.abort();
            }
        })
        .await;
    let mut reference = reference.lock().await;
    reference.drain().await;
    let linear = Linear::new(std::mem::take(&mut reference.events));
    let stored = client::list(&world.server(), "").await;
    let stored: Vec<Object> = stored.expect("the last list").1;
    let why = world.answers.borrow().check(&linear, &stored);
    if let Err(why) = why {
        panic!("history {seed}: {why}\n{linear}");
    }
}

fn seeds() -> Range<u64> {
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    match number("CRDGEN_HISTORY") {
        Some(one) => one..one + 1,
        None => 1..number("CRDGEN_HISTORIES").unwrap_or(40) + 1,
    }
}

#[test]
fn every_answer_agrees_with_one_history() {
    for seed in seeds() {
        crdgen_apiserver::run(seed..seed + 1, |server| history(server, None, seed));
    }
}

#[test]
fn every_answer_agrees_with_one_history_if_the_server_is_killed() {
    let deaths: usize = seeds()
        .map(|seed| {
            let deaths = Cell::new(0);
            // The server that it makes has no storage.
            crdgen_apiserver::run(seed..seed + 1, async |_| {
                let disk = Disk::default();
                history(restarted(&disk, seed), Some(disk.clone()), seed).await;
                deaths.set(disk.deaths());
            });
            deaths.get()
        })
        .sum();
    println!("the storage died {deaths} times");
    assert!(deaths > 0, "no storage died");
}
