use super::*;
use crate::entry::Made;

static PAPER: Paper = Paper {
    id: "009",
    cited: "",
    title: "",
    method: "",
    entries: &[],
};

/// A paper's own two methods, another author's, and a bound.
static ENTRY: Entry = Entry {
    name: "table-1",
    title: "",
    says: "",
    reported: &[
        line("bits", "Old", Bound::Is, &[("1", 300.0)]),
        line("bits", "Own", Bound::Is, &[("1", 400.0)]),
        line("bits", "Peer", Bound::Is, &[("1", 0.0)]),
        line("error", "Own", Bound::Below, &[("1", 0.12)]),
        line("share", "Own", Bound::Above, &[("1", 0.95)]),
    ],
    note: "",
    made: Made::Drawing,
};

const fn line(
    panel: &'static str,
    series: &'static str,
    bound: Bound,
    values: &'static [(&'static str, f64)],
) -> Reported {
    Reported {
        panel,
        series,
        bound,
        values,
    }
}

fn cell(panel: &'static str, form: Form, beside: Option<&'static str>, values: &[f64]) -> Cell {
    let better = match panel {
        "share" => Better::Higher,
        _ => Better::Lower,
    };
    Cell {
        panel: Panel {
            title: panel.into(),
            reported: panel,
            better: Some(better),
        },
        series: Series {
            name: form.words(),
            form,
            beside,
            promise: "",
        },
        at: "1".into(),
        samples: values.iter().copied().collect(),
        random: values.len() > 1,
        refused: None,
        paper: None,
    }
}

/// How the repaired form stands to the paper's numbers: better, worse, within, of.
fn counted(cells: Vec<Cell>) -> (usize, usize, usize, usize) {
    let request = Request {
        quick: false,
        records: None,
        repeats: None,
        seed: 1,
    };
    let mut made = Reproduced::new(&PAPER, &ENTRY, request);
    made.cells = cells;
    let found = made.comparisons();
    let found = found.iter().find(|it| it.with == Against::Paper);
    found.map_or((0, 0, 0, 0), |it| (it.better, it.worse, it.within, it.of))
}

#[test]
fn a_paper_is_compared_with_its_own_methods() {
    let ours = |value| cell("bits", Form::Repaired, Some("Own"), &[value]);
    let peer = || cell("bits", Form::Peer, Some("Peer"), &[0.0]);
    // The peer has 0, which nobody beats.
    assert_eq!(counted(vec![ours(350.0), peer()]), (1, 0, 0, 1));
    assert_eq!(counted(vec![ours(450.0), peer()]), (0, 1, 0, 1));
    // Beside both of the paper's methods the better one counts.
    let old = cell("bits", Form::AsPublished, Some("Old"), &[310.0]);
    assert_eq!(counted(vec![ours(350.0), old, peer()]), (0, 1, 0, 1));
    // Beside none of them there is nothing to compare with.
    let alone = cell("bits", Form::Repaired, None, &[350.0]);
    assert_eq!(counted(vec![alone, peer()]), (0, 0, 0, 0));
}

/// What is promised less is lost less: only lines of one promise are compared.
#[test]
fn lines_of_different_promises_are_not_compared() {
    let line = |form, promise, value| {
        let mut cell = cell("bits", form, None, &[value]);
        cell.series.promise = promise;
        cell
    };
    let cells = vec![
        line(Form::AsPublished, "strong", 5.0),
        line(Form::Repaired, "strong", 4.0),
        line(Form::AsPublished, "weak", 1.0),
        line(Form::Repaired, "weak", 2.0),
        line(Form::Repaired, "other", 0.0),
    ];
    let request = Request {
        quick: false,
        records: None,
        repeats: None,
        seed: 1,
    };
    let mut made = Reproduced::new(&PAPER, &ENTRY, request);
    made.cells = cells;
    let [found] = &made.comparisons()[..] else {
        panic!("one comparison");
    };
    assert_eq!((found.better, found.worse, found.of), (1, 1, 2));
}

#[test]
fn a_bound_is_kept_or_missed_and_never_beaten() {
    let error = |values: &[f64]| vec![cell("error", Form::Repaired, Some("Own"), values)];
    assert_eq!(counted(error(&[0.11])), (0, 0, 1, 1));
    assert_eq!(counted(error(&[0.13])), (0, 1, 0, 1));
    // A difference within the interval is neither.
    assert_eq!(counted(error(&[0.05, 0.17])), (0, 0, 0, 1));
    let share = |values: &[f64]| vec![cell("share", Form::Repaired, Some("Own"), values)];
    assert_eq!(counted(share(&[0.96])), (0, 0, 1, 1));
    assert_eq!(counted(share(&[0.94])), (0, 1, 0, 1));
    let known = |series: usize| ENTRY.reported[series].known("1").unwrap();
    assert_eq!(known(3).words(), "< 0.120");
    assert_eq!(known(4).words(), "> 0.950");
    assert_eq!(ENTRY.reported[3].known("2"), None);
}

/// Who needs a peer's trusted counter may want to know; and one run of something random is no comparison.
#[test]
fn peers_are_compared_with_by_name_and_single_runs_are_not() {
    let request = Request {
        quick: false,
        records: None,
        repeats: None,
        seed: 1,
    };
    let mut made = Reproduced::new(&PAPER, &ENTRY, request);
    made.cells = vec![
        cell("bits", Form::Repaired, None, &[4.0, 4.1]),
        cell("bits", Form::Peer, None, &[1.0, 1.1]),
    ];
    let [found] = &made.comparisons()[..] else {
        panic!("one comparison");
    };
    assert_eq!(found.with, Against::Peer("peer"));
    assert_eq!((found.better, found.worse, found.of), (0, 1, 1));
    made.cells[0].samples = [4.0].into_iter().collect();
    assert_eq!(made.comparisons(), []);
}
