//! What is said is what the description says.

use super::*;

/// What every request passes on its way stands at every route; of those of the protocol also its version.
pub(super) fn passed_by(path: &str, operation: &Value) {
    let replies = operation["responses"].as_object().unwrap();
    for status in ["429", "503"] {
        assert!(replies.contains_key(status), "{path}: {status}");
    }
    let parameters = operation["parameters"].as_array();
    let names_version = parameters.is_some_and(|all| {
        all.iter()
            .any(|it| it["$ref"] == "#/components/parameters/Protocol")
    });
    let is_versioned = path.starts_with("/v1/");
    assert_eq!(names_version, is_versioned, "{path}");
    assert_eq!(replies.contains_key("426"), is_versioned, "{path}");
}

/// A reply in JSON fits the schema of its status, and all refusals have one.
pub(super) fn assert_fits(described: &Value, operation: &Value, heard: &Heard) {
    let reply = &operation["responses"][heard.status.to_string()];
    let schema = &reply["content"]["application/json"]["schema"];
    assert!(heard.status < 400 || schema.is_object(), "{operation}");
    if schema.is_object() {
        fits(described, schema, &json(heard)).unwrap();
    }
}

/// Whether a value fits a schema, as far as the description uses the language of schemas. Fields that are not described
/// are wrong.
fn fits(described: &Value, schema: &Value, value: &Value) -> std::result::Result<(), String> {
    let wrong = |why: &str| Err(format!("{value} of {schema}: {why}"));
    if let Some(name) = schema["$ref"].as_str() {
        let found = described.pointer(name.trim_start_matches('#')).expect(name);
        return fits(described, found, value);
    }
    if let Some(all) = schema["oneOf"].as_array() {
        let fitting = all.iter().filter(|it| fits(described, it, value).is_ok());
        return match fitting.count() {
            1 => Ok(()),
            _ => wrong("not one of them"),
        };
    }
    if !schema["const"].is_null() && schema["const"] != *value {
        return wrong("another constant");
    }
    if let Some(all) = schema["enum"].as_array()
        && !all.contains(value)
    {
        return wrong("not in the list");
    }
    let named = match &schema["type"] {
        Value::Array(names) => names.clone(),
        Value::Null => Vec::new(),
        name => vec![name.clone()],
    };
    let is = |name: &Value| match name.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64(),
        "null" => value.is_null(),
        other => panic!("{other} is no type"),
    };
    if !named.is_empty() && !named.iter().any(is) {
        return wrong("another type");
    }
    if let (Some(properties), Some(fields)) = (schema["properties"].as_object(), value.as_object())
    {
        for name in schema["required"].as_array().unwrap() {
            if !fields.contains_key(name.as_str().unwrap()) {
                return wrong(&format!("{name} is missing"));
            }
        }
        for (name, field) in fields {
            let Some(of) = properties.get(name) else {
                return wrong(&format!("{name} is not described"));
            };
            fits(described, of, field)?;
        }
    }
    if let (Some(of), Some(items)) = (schema.get("items"), value.as_array()) {
        return items.iter().try_for_each(|it| fits(described, of, it));
    }
    Ok(())
}

/// The documents of a campaign that runs, and every refusal that a request can have brought about.
#[tokio::test]
async fn documents_and_refusals_fit_their_schemas() {
    let folder = campaign_folder(&campaign_text("enough = 10"));
    let service = Running::start(&folder, Http::Newest).await;
    let described: Value = json(&service.get("/openapi.json").await);
    let paths = &described["paths"];
    let fitting = |operation: &Value, heard: &Heard, status: u16| {
        assert_eq!(heard.status, status);
        assert_fits(&described, operation, heard);
    };
    for path in ["/v1/campaign", "/v1/status", "/v1/universe"] {
        fitting(&paths[path]["get"], &service.get(path).await, 200);
    }
    let other = [("wayveil-protocol", "99")];
    let heard = service.ask("GET", "/v1/campaign", &[], &other).await;
    fitting(&paths["/v1/campaign"]["get"], &heard, 426);
    assert!(json(&heard)["versions"].is_array());
    let announced = json(&service.get("/v1/campaign").await);
    assert!(announced["round"]["index"].is_u64());
    assert!(announced["round"]["closes_in_seconds"].is_u64());
    let question = &paths["/v1/rounds/{round}/question/{place}"]["get"];
    for (round, status) in [("1", 425), ("99", 404), ("x", 404)] {
        let path = format!("/v1/rounds/{round}/question/0123456789abcdef");
        fitting(question, &service.get(&path).await, status);
    }
    let answers = &paths["/v1/answers"]["post"];
    fitting(answers, &service.post(b"x").await, 422);
    fitting(answers, &service.post(&[0; 5000]).await, 413);
    let mut people = Person::crowd(&service.setup(), 3000);
    let round = Collector::new(service.setup().campaign.clone()).unwrap();
    let person = people.iter_mut().find(|it| it.round() == Some(0)).unwrap();
    let bytes = person.submission(round.open().unwrap());
    for _ in 0..2 {
        fitting(answers, &service.post(&bytes).await, 200);
    }
    // What is wrong with a document is seen.
    let schema = &described["components"]["schemas"]["Campaign"];
    for (field, value) in [
        ("state", Value::from("asleep")),
        ("round", Value::from(3)),
        ("more", Value::Null),
    ] {
        let mut wrong = announced.clone();
        wrong[field] = value;
        assert!(fits(&described, schema, &wrong).is_err(), "{field}");
    }
    service.stop().await;
}
