//! The transport over HTTPS, against a server of this test.

mod common;

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread::JoinHandle;

use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{HandshakeKind, ServerConfig, ServerConnection, StreamOwned};
use wayveil_client::https::Https;
use wayveil_client::{Folder, Method, Outcome, Request, Tools, Transport, take_part};
use wayveil_core::RandomSource;

use common::world::{COLLECTOR, World};

/// What a server saw: the bytes of each request, and whether its session was a new one.
type Seen = Vec<(Vec<u8>, bool)>;

struct Server {
    address: SocketAddr,
    root: String,
    thread: JoinHandle<Seen>,
}

impl Server {
    fn url(&self, path: &str) -> String {
        format!("https://localhost:{}{path}", self.address.port())
    }
}

/// A server that answers so many requests, each on a connection of its own, and then ends.
fn server<H>(
    names: &[&str],
    requests: usize,
    handler: impl FnOnce() -> H + Send + 'static,
) -> Server
where
    H: FnMut(&[u8]) -> Vec<u8>,
{
    let names: Vec<String> = names.iter().map(|name| name.to_string()).collect();
    let made = rcgen::generate_simple_self_signed(names).unwrap();
    let key = PrivatePkcs8KeyDer::from(made.signing_key.serialize_der());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], PrivateKeyDer::Pkcs8(key))
        .unwrap();
    let config = Arc::new(config);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let thread = std::thread::spawn(move || {
        let mut handle = handler();
        (0..requests)
            .filter_map(|_| serve(listener.accept().unwrap().0, &config, &mut handle))
            .collect()
    });
    Server {
        address,
        root: made.cert.pem(),
        thread,
    }
}

/// A server that gives these replies.
fn replying(names: &[&str], replies: Vec<Vec<u8>>) -> Server {
    let requests = replies.len();
    server(names, requests, move || {
        let mut replies = replies.into_iter();
        move |_: &[u8]| replies.next().unwrap()
    })
}

/// One request and its reply; nothing if the client did not trust the server.
fn serve(
    socket: TcpStream,
    config: &Arc<ServerConfig>,
    handle: &mut impl FnMut(&[u8]) -> Vec<u8>,
) -> Option<(Vec<u8>, bool)> {
    let connection = ServerConnection::new(config.clone()).unwrap();
    let mut stream = StreamOwned::new(connection, socket);
    let mut request = Vec::new();
    let mut buffer = [0; 4096];
    while !is_whole(&request) {
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => return None,
            Ok(length) => request.extend_from_slice(&buffer[..length]),
        }
    }
    let new = stream.conn.handshake_kind() != Some(HandshakeKind::Resumed);
    let reply = handle(&request);
    // The client may have hung up on a reply that is too long.
    let _ = stream.write_all(&reply).and_then(|()| stream.flush());
    stream.conn.send_close_notify();
    let _ = stream.flush();
    Some((request, new))
}

/// The head as text and the body, as soon as the head is there.
fn parts(request: &[u8]) -> Option<(String, &[u8])> {
    let end = request.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = String::from_utf8(request[..end].to_vec()).unwrap();
    Some((head, &request[end + 4..]))
}

fn is_whole(request: &[u8]) -> bool {
    parts(request).is_some_and(|(head, body)| {
        let length = head.lines().find_map(|line| {
            let (name, value) = line.split_once(": ")?;
            let is_length = name.eq_ignore_ascii_case("content-length");
            is_length.then(|| value.parse::<usize>().unwrap())
        });
        body.len() >= length.unwrap_or(0)
    })
}

fn reply(head: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 {head}\r\ncontent-length: {}\r\n\r\n", body.len());
    [head.as_bytes(), body].concat()
}

fn get(url: &str) -> Request<'_> {
    Request {
        method: Method::Get,
        url,
        content_type: "",
        body: &[],
        most: 1000,
    }
}

#[test]
fn requests_arrive_and_replies_come_back() {
    let busy = reply("503 Service Unavailable\r\nretry-after: 17", b"{}");
    let server = replying(
        &["localhost"],
        vec![reply("200 OK", b"\x00answer\xff"), busy],
    );
    let mut https = Https::with_roots(server.root.as_bytes()).unwrap();
    let url = server.url("/v1/campaign");
    let came = https.send(&get(&url)).unwrap();
    assert_eq!((came.status, came.retry_after), (200, None));
    assert_eq!(came.body, b"\x00answer\xff");
    let came = https
        .send(&Request {
            method: Method::Post,
            content_type: "application/octet-stream",
            body: b"sent bytes",
            ..get(&url)
        })
        .unwrap();
    assert_eq!((came.status, came.retry_after), (503, Some(17)));
    let seen = server.thread.join().unwrap();
    assert!(seen[0].0.starts_with(b"GET /v1/campaign HTTP/1.1\r\n"));
    assert!(seen[1].0.starts_with(b"POST /v1/campaign HTTP/1.1\r\n"));
    assert!(seen[1].0.ends_with(b"\r\n\r\nsent bytes"));
    for (request, new) in seen {
        assert!(
            new,
            "a session that is taken up again tells that it is the same client"
        );
        let head = parts(&request).unwrap().0.to_lowercase();
        let mut names: Vec<_> = head
            .lines()
            .skip(1)
            .filter_map(|l| l.split(':').next())
            .collect();
        names.sort();
        names.retain(|name| !["content-length", "content-type"].contains(name));
        assert_eq!(names, ["host", "wayveil-protocol"], "{head}");
        assert!(head.contains("wayveil-protocol: 1"));
    }
}

/// A whole campaign of one client, with tokens, over HTTPS: announcement, the issuer's keys, token,
/// question, locations, answer.
#[test]
fn a_client_takes_part_over_https() {
    let phone = tempfile::tempdir().unwrap();
    let folder = phone.path().to_owned();
    let server = server(&["localhost"], 6, move || {
        let world = World::new(true, &folder);
        world.borrow_mut().early = 0;
        move |request: &[u8]| {
            let (head, body) = parts(request).unwrap();
            let host = head
                .lines()
                .find_map(|line| line.strip_prefix("host: "))
                .unwrap();
            world.borrow_mut().issuer = format!("https://{host}");
            let mut words = head.split(' ');
            let method = match words.next() {
                Some("GET") => Method::Get,
                _ => Method::Post,
            };
            let url = format!("{COLLECTOR}{}", words.next().unwrap());
            let came = world.borrow_mut().handle(&Request {
                method,
                url: &url,
                content_type: "",
                body,
                most: 0,
            });
            reply(&format!("{} -", came.status), &came.body)
        }
    });
    let mut settings = common::settings();
    settings.collector = server.url("");
    settings.issuer = Some(server.url(""));
    let ended = take_part(
        &settings,
        &common::TRAJECTORY,
        Tools {
            disk: &mut Folder::open(phone.path()).unwrap(),
            transport: &mut Https::with_roots(server.root.as_bytes()).unwrap(),
            sleeper: &mut common::NoSleep::default(),
            random: &mut RandomSource::insecure_seed(2),
        },
    );
    assert_eq!(ended.unwrap(), Outcome::Counted);
    assert_eq!(server.thread.join().unwrap().len(), 6);
}

#[test]
fn a_server_that_cannot_prove_who_it_is_gets_nothing() {
    // Not trusted, and trusted under another name.
    let foreign = replying(&["localhost"], vec![reply("200 OK", b"")]);
    let url = foreign.url("/");
    assert!(Https::new().send(&get(&url)).is_err());
    assert!(foreign.thread.join().unwrap().is_empty());
    let renamed = replying(&["elsewhere.example.org"], vec![reply("200 OK", b"")]);
    let url = renamed.url("/");
    let mut https = Https::with_roots(renamed.root.as_bytes()).unwrap();
    assert!(https.send(&get(&url)).is_err());
    assert!(renamed.thread.join().unwrap().is_empty());
}

#[test]
fn redirects_are_not_followed_and_long_replies_not_read() {
    let moved = reply("302 Found\r\nlocation: https://elsewhere.example.org/", b"");
    let server = replying(&["localhost"], vec![moved, reply("200 OK", &[7; 1001])]);
    let mut https = Https::with_roots(server.root.as_bytes()).unwrap();
    let url = server.url("/");
    assert_eq!(https.send(&get(&url)).unwrap().status, 302);
    assert!(https.send(&get(&url)).is_err());
    assert_eq!(server.thread.join().unwrap().len(), 2);
}

#[test]
fn what_is_not_encrypted_is_not_sent_elsewhere() {
    let error = Https::new()
        .send(&get("http://count.example.org/v1/campaign"))
        .unwrap_err();
    assert!(error.0.contains("without encryption"), "{error:?}");
}

#[test]
fn a_file_without_certificates_is_refused() {
    for bad in [
        "",
        "no PEM",
        "-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n",
    ] {
        assert!(Https::with_roots(bad.as_bytes()).is_err(), "{bad}");
    }
    let key = rcgen::KeyPair::generate().unwrap().serialize_pem();
    assert!(Https::with_roots(key.as_bytes()).is_err());
}
