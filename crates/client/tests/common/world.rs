//! A collector and an issuer that keep to the protocol, and remember everything they see.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::LazyLock;

use ct_codecs::{Base64, Base64UrlSafeNoPadding, Encoder};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use wayveil_admission::{
    Accepted, Admission, Code, IssuerKey, KeyId, Keys, Submission, TokenGiven, TokenOrder,
};
use wayveil_client::{Method, Reply, Request};
use wayveil_core::RandomSource;
use wayveil_federated::campaign::{Campaign, Parameters};
use wayveil_federated::message::{Question, Terms};

pub(crate) const COLLECTOR: &str = "https://count.example.org";
pub(crate) const ISSUER: &str = "https://tokens.example.org";
pub(crate) const CAMPAIGN: u64 = 4242;
pub(crate) const ROUND: u32 = 1;
/// Enough bits that two answers with fresh noise differ: all of 20 agree with probability 2^-20.
const FRAGMENTS: u32 = 20;

/// The issuer's keys, the older one first.
static KEYS: LazyLock<[IssuerKey; 2]> = LazyLock::new(|| {
    [1, 2].map(|seed| {
        let mut rng = RandomSource::insecure_seed_for("issuer", seed).stream();
        IssuerKey::generate(2048, &mut rng).expect("a key")
    })
});

/// The code of the one person who was enrolled.
pub(crate) fn code() -> Code {
    Code::draw(&mut RandomSource::insecure_seed_for("code", 1).stream())
}

/// The name of a key.
pub(crate) fn key_id(which: usize) -> KeyId {
    KEYS[which].public().id()
}

pub(crate) struct World {
    pub(crate) tokens: bool,
    pub(crate) terms: Terms,
    /// Where tokens are had, as announced.
    pub(crate) issuer: String,
    /// So many times the question is refused as too early, whatever is announced.
    pub(crate) early: u32,
    pub(crate) closed: bool,
    /// The rounds that are announced as open, one announcement after the other; the last one stays. None are named where
    /// there are none.
    pub(crate) open: Vec<u32>,
    /// The seconds until the open round closes.
    pub(crate) closes_in: u64,
    /// What is sent instead of what should be, by a part of the path.
    pub(crate) instead: BTreeMap<&'static str, Reply>,
    /// Every answer that arrived, repeats among them.
    pub(crate) answers: Vec<Vec<u8>>,
    /// What the issuer saw.
    pub(crate) blinded: Vec<Vec<u8>>,
    /// The keys that the collector announces, with their last rounds.
    pub(crate) announced: Vec<(usize, Option<u32>)>,
    /// The keys that sign nothing new.
    pub(crate) retired: Vec<usize>,
    /// Every path that was asked for.
    pub(crate) asked: Vec<String>,
    /// The phone's folder, to see that what arrives was booked.
    phone: PathBuf,
    spent: BTreeMap<[u8; 32], [u8; 32]>,
    /// The key of the last token that came with an answer.
    pub(crate) admitted_by: Option<KeyId>,
}

pub(crate) fn error(status: u16, code: &str) -> Reply {
    let body = json!({"code": code, "error": format!("refused as {code}"), "hint": "none"});
    reply(status, body)
}

fn reply(status: u16, body: Value) -> Reply {
    Reply {
        status,
        retry_after: (status == 425).then_some(30),
        body: body.to_string().into_bytes(),
    }
}

impl World {
    pub(crate) fn new(tokens: bool, phone: &Path) -> Rc<RefCell<Self>> {
        let mut parameters = Parameters::repaired(4, 2, 1000, 10, "1".parse().unwrap());
        parameters.id = CAMPAIGN;
        parameters.per_client = FRAGMENTS;
        parameters.shares = vec![vec![0.0], vec![1.0]];
        Rc::new(RefCell::new(Self {
            tokens,
            terms: Terms::of(&Campaign::new(parameters).unwrap()),
            issuer: ISSUER.to_owned(),
            early: 2,
            closed: false,
            open: vec![ROUND],
            closes_in: 60,
            instead: BTreeMap::new(),
            answers: Vec::new(),
            blinded: Vec::new(),
            announced: vec![(0, None)],
            retired: Vec::new(),
            asked: Vec::new(),
            phone: phone.to_owned(),
            spent: BTreeMap::new(),
            admitted_by: None,
        }))
    }

    fn universe() -> Vec<u8> {
        let labels =
            ["harbour", "market", "station", "theatre"].map(|label| json!({"label": label}));
        let document = json!({"origin": "declared", "source": "a list", "locations": labels});
        document.to_string().into_bytes()
    }

    fn announcement(&mut self) -> Value {
        let open = self.open.first().copied();
        if self.open.len() > 1 {
            self.open.remove(0);
        }
        let key = |&(which, last): &(usize, Option<u32>)| {
            let key = KEYS[which].public();
            json!({
                "id": key.id().to_string(),
                "public_key": Base64::encode_to_string(key.spki()).unwrap(),
                "not_after_round": last,
            })
        };
        let keys: Vec<Value> = self.announced.iter().map(key).collect();
        let admission = match self.tokens {
            false => json!({"kind": "open"}),
            true => json!({"kind": "tokens", "issuer": self.issuer, "keys": keys}),
        };
        json!({
            "protocol": 1,
            "campaign": self.terms.campaign.to_string(),
            "name": "Harbour city",
            "terms": Base64UrlSafeNoPadding::encode_to_string(self.terms.encode().unwrap()).unwrap(),
            "universe": {"sha256": sha256(&Self::universe()), "locations": 4},
            "admission": admission,
            "state": "running",
            "round": open.map(|index| json!({"index": index, "closes_in_seconds": self.closes_in, "answers": 7})),
            "why": null,
        })
    }

    pub(crate) fn handle(&mut self, request: &Request<'_>) -> Reply {
        let path = request.url.strip_prefix(COLLECTOR);
        let path = path.or_else(|| request.url.strip_prefix(ISSUER));
        let path = path.expect("one of the two is asked").to_owned();
        self.asked.push(path.clone());
        assert_eq!(request.method == Method::Post, !request.body.is_empty());
        // What arrives is judged even where the reply is another.
        let sound = match path.as_str() {
            "/v1/campaign" => reply(200, self.announcement()),
            "/v1/universe" => Reply {
                status: 200,
                retry_after: None,
                body: Self::universe(),
            },
            "/v1/answers" => self.count(request.body),
            "/v1/issuer" => self.named(),
            "/v1/tokens" => self.sign(request.body),
            _ => self.ask(&path),
        };
        let instead = self.instead.iter().find(|(part, _)| path.contains(*part));
        instead.map_or(sound, |(_, reply)| reply.clone())
    }

    fn ask(&mut self, path: &str) -> Reply {
        let place = path
            .strip_prefix("/v1/rounds/1/question/")
            .expect("a path of the protocol");
        assert_eq!(place.len(), 16);
        u64::from_str_radix(place, 16).expect("a place");
        if self.early > 0 {
            self.early -= 1;
            return error(425, "early");
        }
        if self.closed {
            return error(410, "closed");
        }
        let codes = (0..FRAGMENTS).flat_map(|at| [at % 4, at / 4 % 4]).collect();
        let question = Question {
            campaign: self.terms.campaign,
            round: ROUND,
            block: 0,
            length: 2,
            codes,
        };
        Reply {
            status: 200,
            retry_after: None,
            body: question.encode(),
        }
    }

    fn named(&self) -> Reply {
        let key = |which: usize| {
            let signs = !self.retired.contains(&which);
            json!({"id": key_id(which).to_string(), "signs": signs})
        };
        reply(200, json!({"keys": [key(1), key(0)]}))
    }

    fn sign(&mut self, body: &[u8]) -> Reply {
        let order = TokenOrder::decode(body).unwrap();
        if order.code != code() {
            return error(403, "unknown-code");
        }
        let which = (0..2).find(|&which| key_id(which) == order.key).unwrap();
        match self.blinded.first() {
            Some(first) if *first != order.blinded.0 => return error(409, "used"),
            None if self.retired.contains(&which) => return error(410, "retired"),
            _ => {}
        }
        self.blinded.push(order.blinded.0.clone());
        let mut rng = RandomSource::insecure_seed(3).stream();
        let given = TokenGiven {
            key: order.key,
            signature: KEYS[which].sign(&order.blinded, &mut rng).unwrap(),
        };
        Reply {
            status: 200,
            retry_after: None,
            body: given.encode().unwrap(),
        }
    }

    fn count(&mut self, body: &[u8]) -> Reply {
        self.answers.push(body.to_vec());
        let booked = std::fs::read_to_string(self.phone.join("ledger")).unwrap_or_default();
        let line = booked
            .lines()
            .find(|line| line.starts_with(&format!("{CAMPAIGN:016x} 1 ")));
        assert!(
            line.is_some() && booked.ends_with('\n'),
            "booked before it leaves"
        );
        let sent = Submission::decode(body).unwrap();
        assert_eq!((sent.answer.campaign, sent.answer.round), (CAMPAIGN, ROUND));
        match &sent.admission {
            Admission::Token(token) if self.tokens => {
                let accepted = self.announced.iter().map(|&(which, last)| Accepted {
                    key: KEYS[which].public().clone(),
                    not_after_round: last,
                });
                let keys = Keys::new(accepted.collect()).unwrap();
                keys.verify(token, ROUND).unwrap();
                self.admitted_by = Some(token.key);
            }
            Admission::Ticket(_) if !self.tokens => {}
            _ => panic!("admitted otherwise than announced"),
        }
        if self.closed {
            return error(410, "closed");
        }
        match self.spent.insert(sent.spent_key(), sent.receipt()) {
            None => reply(200, json!({"status": "counted"})),
            Some(before) if before == sent.receipt() => reply(200, json!({"status": "repeated"})),
            Some(_) => error(409, "used"),
        }
    }

    /// How many different answers arrived.
    pub(crate) fn different_answers(&self) -> usize {
        let mut answers = self.answers.clone();
        answers.sort();
        answers.dedup();
        answers.len()
    }

    /// How many were counted.
    pub(crate) fn counted(&self) -> usize {
        self.spent.len()
    }
}

fn sha256(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
