use std::io::Cursor;

use proptest::prelude::*;
use wayveil_core::Origin;

use super::*;

fn universe<S: Into<String>>(labels: impl IntoIterator<Item = S>) -> Universe {
    Universe::from_labels(labels, Origin::Declared("test".into())).unwrap()
}

fn read(text: &str, labels: &[&str]) -> Result<Taxonomy> {
    let input = Input::from_reader("tree", Cursor::new(text.as_bytes().to_vec())).unwrap();
    read_taxonomy_from(input, &universe(labels.iter().copied()))
}

/// The labels of the groups above a location, from the lowest up.
fn way_up(taxonomy: &Taxonomy, location: u32) -> Vec<&str> {
    let groups = taxonomy.groups();
    let start = Some(taxonomy.group_of(location) as usize);
    std::iter::successors(start, |&group| groups[group].parent.map(|it| it as usize))
        .map(|group| groups[group].label.as_str())
        .collect()
}

fn assert_error(text: &str, at: (Option<u64>, Option<&str>), message: &str) -> String {
    let error = read(text, &["A", "B", "C"]).unwrap_err();
    assert!(error.message().contains(message), "{error}");
    let place = error.place().unwrap();
    assert_eq!(place.file, "tree");
    assert_eq!((place.line, place.column.as_deref()), at, "{error}");
    error.advice().unwrap().to_owned()
}

#[test]
fn reads_an_irregular_tree() {
    let text = "\u{feff}note,parent,label\r\n\
                x,city,green\r\n\
                ,green,A\r\n\
                ,\"west, old\",B\r\n\
                ,green,\"west, old\"\r\n\
                \r\n\
                ,city,C\r\n\
                ,,D line\r\n\
                ,D line,D\r\n";
    let taxonomy = read(text, &["A", "B", "C", "D"]).unwrap();
    let labels: Vec<_> = taxonomy.groups().iter().map(|it| &*it.label).collect();
    assert_eq!(labels, ["green", "city", "west, old", "D line"]);
    assert_eq!(way_up(&taxonomy, 0), ["green", "city"]);
    assert_eq!(way_up(&taxonomy, 1), ["west, old", "green", "city"]);
    assert_eq!(way_up(&taxonomy, 2), ["city"]);
    assert_eq!(way_up(&taxonomy, 3), ["D line"]);
}

#[test]
fn reads_files_and_names_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tree.csv");
    std::fs::write(&path, "label;parent\nA;x\n").unwrap();
    assert_eq!(
        read_taxonomy(&path, &universe(["A"]))
            .unwrap()
            .groups()
            .len(),
        1
    );
    let error = read_taxonomy(&path, &universe(["A", "B"])).unwrap_err();
    assert!(error.place().unwrap().file.ends_with("tree.csv"));
    assert!(read_taxonomy(folder.path(), &universe(["A"])).is_err());
    assert!(read_taxonomy(&folder.path().join("no"), &universe(["A"])).is_err());
}

#[test]
fn the_header_must_name_both_columns() {
    let hint = assert_error("name,parent\n", (Some(1), None), "no column \"label\"");
    assert!(hint.contains("label,parent"));
    assert_error("label,group\n", (Some(1), None), "no column \"parent\"");
    let twice = "two columns are called";
    assert_error("label,parent,label\n", (Some(1), Some("label")), twice);
}

#[test]
fn missing_locations_are_named() {
    let text = "label,parent\nB,x\n";
    assert_error(
        text,
        (None, None),
        "2 locations of the universe have no row: \"A\", \"C\"",
    );
    let text = "label,parent\nB,x\nA,x\n";
    assert_error(
        text,
        (None, None),
        "a location of the universe has no row: \"C\"",
    );
    let many: Vec<_> = (0..20).map(|it| it.to_string()).collect();
    let many: Vec<_> = many.iter().map(String::as_str).collect();
    let error = read("label,parent\n", &many).unwrap_err();
    assert!(
        error.message().ends_with("\"3\", \"4\" and 15 more"),
        "{error}"
    );
}

#[test]
fn doubles_are_refused() {
    let text = "label,parent\nA,x\n\nA,x\n";
    let first = "location \"A\" stands here a second time; first in line 2";
    assert_error(text, (Some(4), Some("label")), first);
    let text = "label,parent\nx,y\nA,x\nx,\n";
    let first = "group \"x\" stands here a second time; first in line 2";
    assert_error(text, (Some(4), Some("label")), first);
}

#[test]
fn locations_hold_nothing_and_lie_in_a_group() {
    let text = "label,parent\nA,x\nB,A\n";
    assert_error(
        text,
        (Some(3), Some("parent")),
        "location \"A\" cannot hold",
    );
    let text = "label,parent\nx,A\n";
    assert_error(
        text,
        (Some(2), Some("parent")),
        "location \"A\" cannot hold",
    );
    let text = "label,parent\nA,x\nB,\n";
    let hint = assert_error(text, (Some(3), Some("parent")), "\"B\" lies in no group");
    assert!(hint.contains("a group of its own"));
}

#[test]
fn a_cycle_is_refused_where_it_closes() {
    let all = "label,parent\nA,x\nB,x\nC,x\n";
    let own = "is its own ancestor";
    assert_error(&format!("{all}x,x\n"), (Some(5), Some("parent")), own);
    let text = format!("{all}x,y\nz,x\ny,z\nw,x\n");
    assert_error(
        &text,
        (Some(7), Some("parent")),
        "group \"y\" is its own ancestor",
    );
}

#[test]
fn a_misspelt_location_is_no_group() {
    let neither = "\"B1\" is neither a location of the universe nor a group that holds one";
    let text = "label,parent\nA,x\nB1,x\nC,x\n";
    let hint = assert_error(text, (Some(3), Some("label")), neither);
    assert!(hint.ends_with("no row has \"B\""), "{hint}");
    // The one at fault is the lowest, not the group that is empty because of it.
    let text = "label,parent\ny,x\nA,x\nB,x\nC,x\nB1,y\n";
    let hint = assert_error(text, (Some(6), Some("label")), neither);
    assert!(hint.contains("remove the row"));
    let empty = "label,parent\nA,x\nB,x\nC,x\nB1,\n";
    assert_error(empty, (Some(5), Some("label")), neither);
}

#[test]
fn labels_must_be_visible() {
    let text = "label,parent\nA, x\n";
    assert_error(
        text,
        (Some(2), Some("parent")),
        "begins or ends with a space",
    );
    let text = "label,parent\nA,x\n ,x\n";
    assert_error(text, (Some(3), Some("label")), "is empty");
    let text = "label,parent\nA,\"x\ty\"\n";
    assert_error(text, (Some(2), Some("parent")), "control character U+0009");
    let text = "label,parent\nA\n";
    assert_error(text, (Some(2), Some("parent")), "the row has 1 columns");
}

/// A tree as plain data: for each group its parent, for each location its group.
#[derive(Clone, Debug)]
struct Tree {
    parents: Vec<Option<usize>>,
    locations: Vec<usize>,
    /// The order of rows, locations after groups, and whether a top group has a row.
    order: Vec<usize>,
    top_rows: bool,
}

fn any_tree() -> impl Strategy<Value = Tree> {
    let picks = prop::collection::vec(any::<prop::sample::Index>(), 1..12);
    let extra = prop::collection::vec(any::<prop::sample::Index>(), 0..8);
    (picks, extra, any::<bool>())
        .prop_map(|(picks, extra, top_rows)| {
            let groups = picks.len();
            // Group 0 to n: the parent is an earlier group, or none.
            let parents: Vec<_> = (picks.iter().enumerate())
                .map(|(group, pick)| pick.index(group + 1).checked_sub(1))
                .collect();
            let leaves = (0..groups).filter(|it| !parents.contains(&Some(*it)));
            let locations: Vec<_> = leaves
                .chain(extra.iter().map(|it| it.index(groups)))
                .collect();
            (parents, locations, top_rows)
        })
        .prop_flat_map(|(parents, locations, top_rows)| {
            let rows: Vec<usize> = (0..parents.len() + locations.len()).collect();
            Just(rows).prop_shuffle().prop_map(move |order| Tree {
                parents: parents.clone(),
                locations: locations.clone(),
                order,
                top_rows,
            })
        })
}

impl Tree {
    fn group(group: usize) -> String {
        format!("g\"{group}, é")
    }

    fn location(location: usize) -> String {
        format!("l;{location}")
    }

    fn way_up(&self, location: usize) -> Vec<String> {
        std::iter::successors(Some(self.locations[location]), |&group| self.parents[group])
            .map(Self::group)
            .collect()
    }

    /// The rows in their order.
    fn rows(&self) -> Vec<(String, Option<String>)> {
        let groups = self.parents.len();
        let row = |&row: &usize| match row.checked_sub(groups) {
            Some(location) => {
                let group = Self::group(self.locations[location]);
                Some((Self::location(location), Some(group)))
            }
            None => {
                let parent = self.parents[row].map(Self::group);
                (parent.is_some() || self.top_rows).then(|| (Self::group(row), parent))
            }
        };
        self.order.iter().filter_map(row).collect()
    }

    fn csv(&self) -> String {
        let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
        let rows = self.rows().into_iter().map(|(label, parent)| {
            format!(
                "{},{}\n",
                quoted(&label),
                quoted(&parent.unwrap_or_default())
            )
        });
        std::iter::once("label,parent\n".to_owned())
            .chain(rows)
            .collect()
    }

    /// The groups as they first appear.
    fn appearance(&self) -> Vec<String> {
        let mut seen: Vec<String> = Vec::new();
        for (label, parent) in self.rows() {
            for label in std::iter::once(label).chain(parent) {
                if label.starts_with('g') && !seen.contains(&label) {
                    seen.push(label);
                }
            }
        }
        seen
    }
}

proptest! {
    #[test]
    fn trees_written_as_tables_are_read_back(tree in any_tree()) {
        let universe = universe((0..tree.locations.len()).map(Tree::location));
        let input = Input::from_reader("tree", Cursor::new(tree.csv().into_bytes())).unwrap();
        let taxonomy = read_taxonomy_from(input, &universe).unwrap();
        let labels: Vec<_> = taxonomy.groups().iter().map(|it| it.label.clone()).collect();
        prop_assert_eq!(labels, tree.appearance());
        for location in 0..tree.locations.len() {
            prop_assert_eq!(way_up(&taxonomy, location as u32), tree.way_up(location));
        }
    }

    #[test]
    fn no_text_makes_it_panic(rows in "[ABxyz ,\"\n\r\u{0}é]{0,60}") {
        let _ = read(&format!("label,parent\n{rows}"), &["A", "B"]);
        let _ = read(&rows, &["A", "B"]);
    }
}
