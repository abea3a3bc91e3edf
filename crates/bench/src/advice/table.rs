//! What came of it, as Markdown.

use std::fmt::Write;

use super::trial::{Cell, From, Ladder, PAID, Promise};
use super::{NAME, Plan};

/// What a look must reach everywhere.
const GOAL: f64 = 1.2;

pub(super) fn markdown(
    plan: &Plan,
    cells: &[Cell],
    ladders: &[Ladder],
    promises: &[Promise],
) -> String {
    // Writing to a string cannot fail.
    let mut text = format!(
        "Made by `cargo xtask bench {NAME} -o docs`: {} records of each data set, every setting of the sweep \
         once and the best {} of them {} times more, the advised ones as often; all by queries and noise that \
         nothing was chosen by. *Best* is the least of these means. A ratio is the advised setting's error over \
         it, with half the width of a 95 % interval.\n\n",
        plan.records, plan.finalists, plan.repeats
    );
    text += "| data | task | ε | settings swept | best error | with a look | from facts | like last month's \
             release | paid |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";
    for cell in cells {
        let _ = write!(
            text,
            "| `{}` | {} | {} | {} | {:.1} % |",
            cell.data,
            cell.task,
            cell.epsilon,
            cell.swept,
            cell.best.mean() * 100.0
        );
        for from in From::ALL {
            let found = cell.advised.iter().find(|it| it.0 == from);
            let _ = match found.map(|it| it.1.over(&cell.best)) {
                Some((ratio, half)) => write!(text, " {ratio:.2} ± {half:.2} |"),
                None => write!(text, " – |"),
            };
        }
        text.push('\n');
    }
    text += &summary(cells);
    text += &ladders_table(ladders);
    text += &promises_table(promises);
    text
}

fn summary(cells: &[Cell]) -> String {
    let mut text = String::from("\n");
    for (from, words) in [
        (From::Look, "With a look"),
        (From::Facts, "From facts"),
        (From::Like, "Like last month's release"),
        (From::Pay, "Paid"),
    ] {
        let ratios: Vec<f64> = cells
            .iter()
            .flat_map(|cell| {
                let of = cell.advised.iter().filter(|it| it.0 == from);
                of.map(|it| it.1.over(&cell.best).0)
            })
            .collect();
        let most = ratios.iter().copied().fold(0.0, f64::max);
        let mean = ratios.iter().sum::<f64>() / ratios.len().max(1) as f64;
        let within = ratios.iter().filter(|it| **it <= GOAL).count();
        let off: Vec<f64> = cells
            .iter()
            .flat_map(|cell| {
                let of = cell.advised.iter().filter(|it| it.0 == from);
                of.map(|it| (it.2 - it.1.mean()).abs())
            })
            .collect();
        let off = off.iter().sum::<f64>() / off.len().max(1) as f64;
        let _ = writeln!(
            text,
            "- {words}: ratio {mean:.2} on average, {most:.2} at most, within {GOAL:.2} in {within} of {}; the \
             expected error was off by {:.1} percentage points on average.",
            ratios.len(),
            off * 100.0
        );
    }
    let _ = writeln!(
        text,
        "- *Paid* is a release with ε = {PAID} of the same people, which is not counted in the column ε."
    );
    text
}

fn ladders_table(ladders: &[Ladder]) -> String {
    if ladders.is_empty() {
        return String::new();
    }
    let mut text = String::from(
        "\nThe least ε for a tolerance (counts; halfway between the best errors at the two ε above), in steps of a \
         tenth of a decade, beside the advised one and the error that it truly has:\n\n| data | tolerance | truly met \
         from | with a look | its error | from facts | its error |\n| --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for ladder in ladders {
        let truly = ladder.truly.map_or("–".into(), |it| format!("{it:.2}"));
        let _ = write!(
            text,
            "| `{}` | {:.1} % | {truly} |",
            ladder.data,
            ladder.tolerance * 100.0
        );
        for from in [From::Look, From::Facts] {
            let _ = match ladder.advised.iter().find(|it| it.0 == from) {
                Some((_, epsilon, error)) => write!(text, " {epsilon} | {:.1} % |", error * 100.0),
                None => write!(text, " no | – |"),
            };
        }
        text.push('\n');
    }
    text
}

fn promises_table(promises: &[Promise]) -> String {
    let mut text = format!(
        "\nTruthful records that may lose {:.0} % of their visits:\n\n| data | from | advised promise | expected loss \
         | true loss |\n| --- | --- | --- | --- | --- |\n",
        Promise::LOSS * 100.0
    );
    for promise in promises {
        for (from, words, expected, truly) in &promise.advised {
            let from = match from {
                From::Look => "a look",
                _ => "facts",
            };
            let _ = writeln!(
                text,
                "| `{}` | {from} | {words} | {:.0} % | {:.0} % |",
                promise.data,
                expected * 100.0,
                truly * 100.0
            );
        }
    }
    text
}
