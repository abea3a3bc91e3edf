//! What is told of a publication that does not work, and that it is tried again.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::pages::answer_round;
use super::*;

/// A disk that can be full, and how often something was to be written to it.
#[derive(Default)]
struct Disk {
    has_room: AtomicBool,
    asked: AtomicUsize,
}

impl Disk {
    fn publish(self: &Arc<Self>) -> Publish {
        let disk = self.clone();
        Box::new(move |_| {
            disk.asked.fetch_add(1, Ordering::SeqCst);
            match disk.has_room.load(Ordering::SeqCst) {
                true => Ok(()),
                false => Err(Error::system("cannot write", "no room")
                    .in_file("/srv/operator/found")
                    .hint("make room")),
            }
        })
    }
}

async fn complete(service: &Running) {
    let mut people = Person::crowd(&service.setup(), 3000);
    while json(&service.get("/v1/status").await)["state"] == "running" {
        answer_round(service, &mut people).await;
    }
}

/// Asks until the status says so, and returns it.
async fn until_published_is(service: &Running, state: &str) -> Value {
    for _ in 0..1000 {
        let status = json(&service.get("/v1/status").await);
        if status["published"] == state {
            return status;
        }
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
    panic!("{}", json(&service.get("/v1/status").await));
}

async fn text(service: &Running, path: &str) -> String {
    String::from_utf8(service.get(path).await.body.to_vec()).unwrap()
}

#[tokio::test]
async fn what_is_not_published_is_told_and_tried_again() {
    let folder = campaign_folder(&campaign_text("enough = 6"));
    let disk = Arc::new(Disk::default());
    let service = Running::publishing(&folder, disk.publish()).await;
    let before = json(&service.get("/v1/status").await);
    assert_eq!(before["published"], "waiting");
    assert!(before["not_published_because"].is_null());
    complete(&service).await;
    let status = until_published_is(&service, "no").await;
    assert_eq!(status["state"], "complete");
    assert_eq!(status["not_published_because"], "cannot write: no room");
    let page = text(&service, "/").await;
    assert!(page.contains("could not be published yet:</strong> cannot write: no room"));
    let metrics = text(&service, "/metrics").await;
    assert!(
        metrics.contains("wayveil_campaign_published{state=\"no\"} 1"),
        "{metrics}"
    );
    for said in [status.to_string(), page, metrics] {
        assert!(!said.contains("/srv"), "a path of the operator's: {said}");
    }
    while disk.asked.load(Ordering::SeqCst) < 3 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    disk.has_room.store(true, Ordering::SeqCst);
    let published = until_published_is(&service, "yes").await;
    assert!(published["not_published_because"].is_null());
    assert_ne!(
        published["revision"], status["revision"],
        "pages must notice"
    );
    let page = text(&service, "/").await;
    assert!(page.contains("is published in a release") && !page.contains("no room"));
    let asked = disk.asked.load(Ordering::SeqCst);
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(disk.asked.load(Ordering::SeqCst), asked, "once is enough");
    service.stop().await;
}

#[tokio::test]
async fn who_stops_a_service_that_could_not_publish_is_told() {
    let folder = campaign_folder(&campaign_text("enough = 6"));
    let disk = Arc::new(Disk::default());
    let service = Running::publishing(&folder, disk.publish()).await;
    complete(&service).await;
    until_published_is(&service, "no").await;
    let error = service.stopped().await.unwrap_err();
    assert_eq!(error.message(), "cannot write: no room");
    assert_eq!(error.advice(), Some("make room"));
    // After a start it is tried at once.
    disk.has_room.store(true, Ordering::SeqCst);
    let service = Running::publishing(&folder, disk.publish()).await;
    until_published_is(&service, "yes").await;
    service.stop().await;
}
