//! A network that fails, and a phone that is killed at a chosen point.

use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use wayveil_client::{Disk, Failure, Folder, Reply, Request, Transport};
use wayveil_core::Result;

use super::world::World;

/// The process is gone. It unwinds, as no test can be killed for real; nothing catches it on the way.
pub(crate) struct Killed;

/// Counts the points at which a process can be killed, and kills it at one.
#[derive(Default)]
pub(crate) struct Kill {
    left: Cell<Option<u32>>,
    passed: Cell<u32>,
}

impl Kill {
    pub(crate) fn after(points: Option<u32>) -> Rc<Self> {
        Rc::new(Self {
            left: Cell::new(points),
            passed: Cell::new(0),
        })
    }

    pub(crate) fn passed(&self) -> u32 {
        self.passed.get()
    }

    fn is_now(&self) -> bool {
        self.passed.set(self.passed.get() + 1);
        match self.left.get() {
            Some(0) => true,
            left => {
                self.left.set(left.map(|left| left - 1));
                false
            }
        }
    }

    fn point(&self) {
        if self.is_now() {
            std::panic::resume_unwind(Box::new(Killed));
        }
    }
}

/// A folder whose writing can be cut short anywhere.
pub(crate) struct KillingDisk {
    inner: Folder,
    path: PathBuf,
    kill: Rc<Kill>,
}

impl KillingDisk {
    pub(crate) fn new(inner: Folder, path: &Path, kill: Rc<Kill>) -> Self {
        let path = path.to_owned();
        Self { inner, path, kill }
    }
}

impl Disk for KillingDisk {
    fn read(&self, name: &str) -> Result<Option<Vec<u8>>> {
        self.inner.read(name)
    }

    fn replace(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        self.kill.point();
        if self.kill.is_now() {
            let half = &bytes[..bytes.len() / 2];
            std::fs::write(self.path.join(format!("{name}.tmp")), half).unwrap();
            std::panic::resume_unwind(Box::new(Killed));
        }
        self.inner.replace(name, bytes)?;
        self.kill.point();
        Ok(())
    }

    fn append(&mut self, name: &str, keep: u64, bytes: &[u8]) -> Result<()> {
        self.kill.point();
        for part in [1, bytes.len() / 2, bytes.len() - 1] {
            if self.kill.is_now() {
                self.inner.append(name, keep, &bytes[..part])?;
                std::panic::resume_unwind(Box::new(Killed));
            }
        }
        self.inner.append(name, keep, bytes)?;
        self.kill.point();
        Ok(())
    }
}

/// What becomes of one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    None,
    LostRequest,
    LostReply,
    Twice,
    CutReply,
    Busy,
    SlowDown,
    Portal,
    Redirected,
    Nonsense,
}

impl Fault {
    pub(crate) const ALL: [Self; 10] = [
        Self::None,
        Self::LostRequest,
        Self::LostReply,
        Self::Twice,
        Self::CutReply,
        Self::Busy,
        Self::SlowDown,
        Self::Portal,
        Self::Redirected,
        Self::Nonsense,
    ];
}

/// Carries requests to the world, with a fault for each of the first ones.
pub(crate) struct Network {
    pub(crate) world: Rc<RefCell<World>>,
    pub(crate) faults: Vec<Fault>,
    pub(crate) kill: Rc<Kill>,
}

impl Network {
    pub(crate) fn sound(world: &Rc<RefCell<World>>) -> Self {
        Self::with_faults(world, &[])
    }

    /// The faults in the order of requests.
    pub(crate) fn with_faults(world: &Rc<RefCell<World>>, faults: &[Fault]) -> Self {
        Self {
            world: world.clone(),
            faults: faults.iter().rev().copied().collect(),
            kill: Kill::after(None),
        }
    }
}

fn plain(status: u16, body: &str) -> Reply {
    Reply {
        status,
        retry_after: None,
        body: body.as_bytes().to_vec(),
    }
}

impl Transport for Network {
    fn send(&mut self, request: &Request<'_>) -> std::result::Result<Reply, Failure> {
        self.kill.point();
        let fault = self.faults.pop().unwrap_or(Fault::None);
        let gone = || Err(Failure("the connection was closed".to_owned()));
        match fault {
            Fault::LostRequest => return gone(),
            Fault::Busy => return Ok(plain(503, r#"{"code":"unavailable","error":"busy"}"#)),
            Fault::SlowDown => return Ok(plain(429, r#"{"code":"slow-down","error":"wait"}"#)),
            Fault::Portal => return Ok(plain(200, "<html>Welcome to our café</html>")),
            Fault::Redirected => return Ok(plain(302, "")),
            // A status that would end it, from someone who is not the service.
            Fault::Nonsense => return Ok(plain(410, "gone")),
            _ => {}
        }
        let mut reply = self.world.borrow_mut().handle(request);
        if fault == Fault::Twice {
            reply = self.world.borrow_mut().handle(request);
        }
        self.kill.point();
        match fault {
            Fault::LostReply => gone(),
            Fault::CutReply => {
                reply.body.truncate(reply.body.len() / 2);
                Ok(reply)
            }
            _ => Ok(reply),
        }
    }
}
