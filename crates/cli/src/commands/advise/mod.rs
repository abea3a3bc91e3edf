//! `wayveil advise`: which method, which parameters, which ε.
//!
//! The engine is `wayveil_evaluate::advise`. Here the sources of knowledge are kept apart: `knowledge.rs`
//! gives it either public facts, or a release, or (when asked) the raw data.

mod arguments;
mod command_line;
mod knowledge;
mod meaning;
mod picture;
mod words;

use std::io::Write;

use serde_json::{Value, json};
use wayveil_core::{Delta, Error, Rational, Result};
use wayveil_evaluate::Task;
use wayveil_evaluate::advise::{
    Advice, Effort, LeftOut, Method, Question, Sensitive, Source, TruthfulQuestion, advise,
    advise_truthful, check_question, seed_from,
};
use wayveil_io::output::{check_target, write_file};
use wayveil_ledger::{Account, Ledger};
use wayveil_mechanisms::DELTA;

pub(crate) use arguments::AdviseArguments;
use knowledge::{Knowledge, Stage, gather};

use super::random_source;
use crate::terminal::Terminal;

pub(crate) const EXAMPLE: &str = "\
Examples:
  wayveil advise taps.parquet --task counts --tolerance 5% --people 50000
  wayveil advise taps.parquet --task flows --tolerance 20% --like last-month/ --plot advice.svg
  wayveil advise taps.parquet --task patterns --tolerance 20% --look
  wayveil advise taps.parquet --task counts --tolerance 5% --people 50000 --pay 0.05 -o small/
  wayveil advise city.parquet --task truthful --tolerance 30% --people 80000 --sensitive diagnosis=HIV";

/// The greatest ε that is advised where nobody says.
const MOST_EPSILON: &str = "1";

/// Gives advice. The answer is no where nothing meets what was asked for.
pub(crate) fn run(arguments: &AdviseArguments, terminal: &Terminal) -> Result<bool> {
    let asked = Asked::read(arguments)?;
    if let Some(plot) = &arguments.plot {
        check_target(plot, arguments.force)?;
    }
    let stage = Stage::open(arguments, terminal)?;
    let sensitive = sensitive(arguments, &stage, asked.task)?;
    let account = account(arguments, &stage.population)?;
    let most_epsilon = most_epsilon(arguments, &asked, &account)?;
    let seed = seed_from(&mut random_source("advise", arguments.insecure_seed)?);
    let most = match (arguments.nobody_trusted, asked.task) {
        (true, _) => asked.effort.most_records_of_campaign(),
        (false, Task::Truthful) => asked.effort.most_records(),
        (false, _) => asked.effort.most_people(),
    };
    let question = Question {
        task: asked.task,
        tolerance: asked.tolerance,
        epsilon: arguments.epsilon()?.map(Rational::from),
        most_epsilon,
        methods: asked.methods,
        nobody_trusted: arguments.nobody_trusted,
        effort: asked.effort,
        seed,
    };
    let beyond = beyond_allowance(&account)?;
    let facts = &stage.facts;
    if asked.task != Task::Truthful {
        // Before anything is bought.
        let people = facts.sizes.people.unwrap_or(1);
        check_question(&question, facts, people, beyond.clone())?;
    }
    let knowledge = gather(&stage, arguments, sensitive.as_ref(), most, seed, terminal)?;
    let Knowledge {
        people,
        ref arenas,
        source,
        ..
    } = knowledge;
    let advice = match asked.task {
        Task::Truthful => {
            let question = TruthfulQuestion {
                tolerance: asked.tolerance,
                sensitive: sensitive.clone(),
                effort: asked.effort,
            };
            advise_truthful(&question, facts, people, arenas, source, terminal)
        }
        _ => advise(&question, facts, people, arenas, source, beyond, terminal),
    };
    if let (Err(_), Some(paid)) = (&advice, &knowledge.paid) {
        terminal.warn(&paid.after_an_error());
    }
    let advice = advice?;
    let advice = Advice {
        assumed: assumed(&stage, sensitive.as_ref(), arguments, advice.source),
        ..advice
    };
    tell(arguments, &stage, &advice, &knowledge, &account, terminal)?;
    Ok(advice.meets)
}

/// What was asked, checked before anything is read or spent.
struct Asked {
    task: Task,
    tolerance: Option<f64>,
    effort: Effort,
    methods: Vec<Method>,
}

impl Asked {
    fn read(arguments: &AdviseArguments) -> Result<Self> {
        let asked = Self {
            task: arguments.task()?,
            tolerance: arguments.tolerance()?,
            effort: arguments.effort()?,
            methods: arguments.methods()?,
        };
        let truthful = asked.task == Task::Truthful;
        let wrong = |message: &str, hint: &str| Err(Error::input(message).hint(hint));
        if !truthful && arguments.sensitive.is_some() {
            return wrong(
                "--sensitive says nothing about this task",
                "under differential privacy no column beside the trajectory is released; leave it out, \
                 or ask for --task truthful",
            );
        }
        if truthful && (arguments.max_trips.is_some() || arguments.trip_level) {
            return wrong(
                "truthful records are of people: their trips are joined",
                "leave --max-trips and --trip-level out",
            );
        }
        if truthful && (arguments.epsilon()?.is_some() || arguments.max_epsilon()?.is_some()) {
            return wrong(
                "truthful records have no epsilon: nothing is added to them",
                "leave --epsilon and --max-epsilon out",
            );
        }
        if truthful && arguments.nobody_trusted {
            return wrong(
                "truthful records need somebody who may see them",
                "leave --nobody-trusted out, or ask for --task patterns",
            );
        }
        let unfit = |method: &Method| (*method == Method::Suppress) != truthful;
        if let Some(method) = asked.methods.iter().find(|it| unfit(it)) {
            let task = asked.task;
            return Err(
                Error::input(format!("{} does not serve the task {task}", method.name()))
                    .hint("leave --methods out to have all that do considered"),
            );
        }
        Ok(asked)
    }
}

fn sensitive(arguments: &AdviseArguments, stage: &Stage, task: Task) -> Result<Option<Sensitive>> {
    if task == Task::Truthful && stage.facts.time.is_none() {
        return Err(
            Error::input("truthful records need time bins: a visit is a place at a time")
                .in_file(arguments.input.display().to_string())
                .hint("import the data with --bin-width, --bin-origin and --bins"),
        );
    }
    let text = arguments.sensitive.as_deref();
    text.map(|text| Sensitive::read(text, &stage.facts, arguments.sensitive_share))
        .transpose()
}

/// What was spent on these people, where there is a ledger; none is made.
fn account(arguments: &AdviseArguments, population: &str) -> Result<Account> {
    let path = arguments.ledger.path()?;
    let mut accounts = match path.exists() {
        true => Ledger::read(&path)?.accounts(),
        false => Default::default(),
    };
    Ok(accounts.remove(population).unwrap_or_else(Account::empty))
}

/// The greatest ε: what was asked for, and never more than the allowance leaves after what is paid.
fn most_epsilon(arguments: &AdviseArguments, asked: &Asked, account: &Account) -> Result<Rational> {
    let given = match (arguments.epsilon()?, arguments.max_epsilon()?) {
        (Some(fixed), _) => Some(fixed),
        (None, most) => most,
    };
    let wanted = match &given {
        Some(given) => given.value().clone(),
        None => MOST_EPSILON.parse()?,
    };
    let Some(left) = account.left() else {
        return Ok(wanted);
    };
    let paid = arguments.pay()?.map_or(Rational::zero(), Rational::from);
    let left = left.epsilon.minus(&paid).unwrap_or_else(Rational::zero);
    if asked.task == Task::Truthful {
        return Ok(wanted);
    }
    if left.is_zero() || (arguments.epsilon()?.is_some() && left < wanted) {
        return Err(Error::refused(format!(
            "the allowance of these people leaves an epsilon of {left}"
        ))
        .hint(
            "wayveil ledger show tells what was spent; wayveil ledger allow raises an allowance",
        ));
    }
    Ok(wanted.min(left))
}

/// Methods whose δ the allowance does not cover.
fn beyond_allowance(account: &Account) -> Result<Vec<LeftOut>> {
    let usual: Delta = DELTA.example.parse()?;
    Ok(match account.left() {
        Some(left) if left.delta < *usual.value() => vec![LeftOut {
            method: Method::Generalize.name().into(),
            reason: format!("it needs a delta of {usual}, and the allowance leaves less"),
        }],
        _ => Vec::new(),
    })
}

/// What was taken for granted. A look needs no numbers, and a release brings its own.
fn assumed(
    stage: &Stage,
    sensitive: Option<&Sensitive>,
    arguments: &AdviseArguments,
    source: Source,
) -> Vec<wayveil_evaluate::advise::Assumption> {
    let mut assumed = match source {
        Source::Raw => return Vec::new(),
        Source::Facts | Source::Release => stage.facts.assumptions(),
    };
    if let (Some(sensitive), None) = (sensitive, arguments.sensitive_share) {
        assumed.push(wayveil_evaluate::advise::Assumption {
            flag: "--sensitive-share",
            taken: format!("{} of the people have a sensitive value", sensitive.share()),
        });
    }
    assumed
}

fn tell(
    arguments: &AdviseArguments,
    stage: &Stage,
    advice: &Advice,
    knowledge: &Knowledge,
    account: &Account,
    terminal: &Terminal,
) -> Result<()> {
    let beside_allowance = advice.task == Task::Truthful && account.allowance.is_some();
    let conditional = knowledge.is_conditional();
    let words = advice
        .advised()
        .map(|point| command_line::words(arguments, point, conditional, beside_allowance));
    let line = words.as_deref().map(command_line::line);
    if let Some(path) = &arguments.plot {
        let page = picture::svg(advice);
        write_file(path, arguments.force, |file| {
            file.write_all(page.as_bytes())
                .map_err(|cause| Error::system("cannot write the plot", cause))
        })?;
    }
    let text = words::report(
        advice,
        &words::Beside {
            unit: arguments.unit(),
            command: line.as_deref(),
            knowledge,
            from_data: stage.has_inputs_from_data(),
            quick: arguments.effort()? == Effort::Quick,
            sensitive: arguments.sensitive.is_some(),
            beside_allowance,
            names_methods: arguments.names_methods(),
        },
    );
    let object = || -> Value {
        let mut object = json!(advice);
        object["recommended"] = json!(advice.advised());
        object["command"] = json!(line);
        object["arguments"] = json!(words);
        object["internal"] = json!(advice.source == Source::Raw);
        object["spent"] = json!(knowledge.paid.as_ref().map(knowledge::Paid::to_json));
        object["conditional"] = json!(conditional);
        object["inherited"] = json!(knowledge.inherited);
        object["rows_of_release"] = json!(knowledge.rows_of_release);
        object["population"] = json!(stage.population);
        if advice.source == Source::Raw {
            object["note"] = json!(words::INTERNAL);
        }
        object
    };
    terminal.result(object, &text)
}
