//! The command as a user meets it.

use std::process::{Command, Output};

fn bench(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wayveil-bench"))
        .args(arguments)
        .output()
        .unwrap()
}

#[test]
fn list_names_every_benchmark() {
    let output = bench(&["list"]);
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    for benchmark in wayveil_bench::benchmarks::ALL {
        assert!(text.lines().any(|line| line.starts_with(benchmark.name)));
    }
}

#[test]
fn mistakes_end_with_status_two_and_a_reason() {
    let cases: [(&[&str], &str); 4] = [
        (&["nothing"], "unknown benchmark nothing"),
        (&["--slow", "laplace"], "unknown option --slow"),
        (&["laplace", "list"], "unknown benchmark list"),
        (&["laplace", "trees", "--plot", "x.svg"], "one benchmark"),
    ];
    for (arguments, reason) in cases {
        let output = bench(arguments);
        assert_eq!(output.status.code(), Some(2));
        assert!(output.stdout.is_empty());
        assert!(String::from_utf8(output.stderr).unwrap().contains(reason));
    }
}

#[test]
fn results_can_be_read_by_a_program() {
    let output = bench(&["laplace", "--quick", "--json"]);
    assert!(output.status.success());
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["benchmark"], "laplace");
    for result in value["results"].as_array().unwrap() {
        assert!(result["ratio"].as_f64().unwrap() > 0.0);
    }
}
