//! Who is first, in SQLite and, where there is one, in PostgreSQL.

use std::sync::Arc;

use super::super::store::{Claim, Claimed, IssuerStore};
use super::*;

fn claim(code: &Code, campaign: &str, request: &TokenRequest, signs: bool) -> Claim {
    let order = TokenOrder {
        code: code.clone(),
        key: request.key().id(),
        blinded: request.blinded(),
    };
    Claim::new(&order, &Arc::from(campaign), signs)
}

#[tokio::test]
async fn claims_are_settled_alike_everywhere() {
    let [known, other, foreign] = [1, 2, 3].map(|seed| Code::draw(&mut rng(seed)));
    let (one, two) = (request(0, 1), request(0, 2));
    for kind in crate::testing::fresh_stores().await {
        let mut store = IssuerStore::open(kind.address.clone()).await.unwrap();
        assert_eq!(store.enrol(std::slice::from_ref(&known)).await.unwrap(), 1);
        // Somebody enrols more while the issuer has its store open.
        let mut beside = IssuerStore::open(kind.address.clone()).await.unwrap();
        assert_eq!(beside.enrol(std::slice::from_ref(&other)).await.unwrap(), 2);
        let claims = [
            claim(&foreign, "spring", &one, true),
            claim(&known, "spring", &one, false),
            claim(&known, "spring", &one, true),
            claim(&known, "spring", &one, true),
            claim(&known, "spring", &two, true),
            claim(&known, "spring", &one, false),
            claim(&known, "spring", &two, false),
            claim(&known, "autumn", &two, true),
            claim(&other, "spring", &one, true),
        ];
        let expected = [
            Claimed::UnknownCode,
            Claimed::Retired,
            Claimed::First,
            Claimed::Again,
            Claimed::Used,
            Claimed::Again,
            Claimed::Used,
            Claimed::First,
            Claimed::First,
        ];
        assert_eq!(store.settle(&claims).await.unwrap(), expected);
        let again = beside.settle(&claims[2..5]).await.unwrap();
        assert_eq!(again, [Claimed::Again, Claimed::Again, Claimed::Used]);
        // A code that is there already is added to nobody: all or none.
        let [fresh, twice] = [Code::draw(&mut rng(9)), known.clone()];
        assert!(store.enrol(&[fresh.clone(), twice]).await.is_err());
        let claims = [claim(&fresh, "spring", &one, true)];
        assert_eq!(store.settle(&claims).await.unwrap(), [Claimed::UnknownCode]);
        store.probe().await.unwrap();
        store.close().await;
        beside.close().await;
        drop(kind.folder);
    }
}
