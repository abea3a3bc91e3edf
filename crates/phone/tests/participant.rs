//! What an app meets without a collector: kinds of errors, its own transport, and stopping.

use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use wayveil_phone::{
    HttpReply, HttpRequest, HttpTransport, Outcome, Participant, Settings, StopSignal,
    TransportError, WayveilError,
};

/// A day, which no test takes.
const PATIENT: u32 = 86_400;

fn settings() -> Settings {
    Settings {
        collector: "https://count.example.org".to_owned(),
        issuer: None,
        code: None,
        accept_epsilon: "2".to_owned(),
        accept_total: "4".to_owned(),
        accept_fragments: 1,
        accept_length: 5,
        wait_seconds: 0,
        spread_seconds: 600,
    }
}

/// A transport that keeps what it is asked and replies by a function.
struct Scripted<F> {
    asked: Mutex<Vec<HttpRequest>>,
    reply: F,
}

impl<F> Scripted<F>
where
    F: Fn() -> Result<HttpReply, TransportError> + Send + Sync + 'static,
{
    fn new(reply: F) -> Arc<Self> {
        let asked = Mutex::default();
        Arc::new(Self { asked, reply })
    }
}

impl<F> HttpTransport for Scripted<F>
where
    F: Fn() -> Result<HttpReply, TransportError> + Send + Sync,
{
    fn send(&self, request: HttpRequest) -> Result<HttpReply, TransportError> {
        self.asked.lock().unwrap().push(request);
        (self.reply)()
    }
}

fn unavailable() -> Result<HttpReply, TransportError> {
    Ok(HttpReply {
        status: 503,
        retry_after_seconds: Some(7),
        body: Vec::new(),
    })
}

fn phone(transport: Arc<dyn HttpTransport>) -> (tempfile::TempDir, Arc<Participant>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap().to_owned();
    (folder, Participant::with_transport(path, transport))
}

#[test]
fn a_request_has_all_that_the_app_must_send() {
    let transport = Scripted::new(unavailable);
    let (_folder, phone) = phone(transport.clone());
    let outcome = phone.take_part(settings(), vec![], None).unwrap();
    assert!(
        matches!(outcome, Outcome::Later { seconds: 8.., .. }),
        "{outcome:?}"
    );
    let asked = transport.asked.lock().unwrap();
    let [request] = &asked[..] else {
        panic!("{asked:?}");
    };
    assert_eq!(request.url, "https://count.example.org/v1/campaign");
    let [header] = &request.headers[..] else {
        panic!("{request:?}");
    };
    assert_eq!((&*header.name, &*header.value), ("wayveil-protocol", "1"));
}

#[test]
fn a_reply_that_is_too_long_is_none() {
    let (_folder, phone) = phone(Scripted::new(|| {
        let body = vec![b' '; (256 << 10) + 1];
        Ok(HttpReply {
            status: 200,
            retry_after_seconds: None,
            body,
        })
    }));
    let refused = phone.preview("https://count.example.org".to_owned());
    let Err(WayveilError::Unavailable(why)) = refused else {
        panic!("{refused:?}");
    };
    assert!(why.contains("too long"), "{why}");
}

#[test]
fn a_call_that_waits_is_stopped() {
    let signal = StopSignal::new();
    let stopper = signal.clone();
    let transport = Scripted::new(move || {
        let stopper = stopper.clone();
        // Given while the call sleeps, or before: it ends either way.
        thread::spawn(move || {
            thread::sleep(Duration::from_millis(20));
            stopper.stop();
        });
        unavailable()
    });
    let (_folder, phone) = phone(transport.clone());
    let patient = Settings {
        wait_seconds: PATIENT,
        ..settings()
    };
    let outcome = phone
        .take_part(patient, vec![], Some(signal.clone()))
        .unwrap();
    assert!(matches!(outcome, Outcome::Later { .. }), "{outcome:?}");
    assert!(signal.is_stopped());
    assert_eq!(transport.asked.lock().unwrap().len(), 1);
}

#[test]
fn wrong_settings_are_told_before_anything_is_asked() {
    let transport = Scripted::new(unavailable);
    let (_folder, phone) = phone(transport.clone());
    for wrong in [
        Settings {
            collector: "http://count.example.org".to_owned(),
            ..settings()
        },
        Settings {
            code: Some("a code whose issuer is not named".to_owned()),
            ..settings()
        },
        Settings {
            issuer: Some("tokens.example.org".to_owned()),
            ..settings()
        },
        Settings {
            accept_epsilon: "-1".to_owned(),
            ..settings()
        },
        Settings {
            accept_total: "much".to_owned(),
            ..settings()
        },
        Settings {
            wait_seconds: PATIENT + 1,
            ..settings()
        },
    ] {
        let refused = phone.take_part(wrong, vec![], None);
        assert!(
            matches!(refused, Err(WayveilError::InvalidInput(_))),
            "{refused:?}"
        );
    }
    assert!(transport.asked.lock().unwrap().is_empty());
}
