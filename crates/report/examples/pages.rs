//! Pages of made-up data of several kinds, to look at: `cargo run --example pages FOLDER`.

#[path = "../tests/made_up/mod.rs"]
mod made_up;

use std::path::Path;

use made_up::inside::{comparison, internal};
use made_up::worlds::{SAMPLES, sample};
use wayveil_report::page::{ReleasePart, compare_page, internal_page, release_page};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("name a folder")?;
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    let write = |name: &str, page: String| {
        println!("{name}: {} kB", page.len() / 1000);
        std::fs::write(folder.join(name), page)
    };
    for name in SAMPLES {
        let (release, raw) = sample(name);
        let part = ReleasePart::of(&release)?;
        write(&format!("{name}.html"), release_page(&part)?)?;
        let inside = internal(&release, &raw);
        write(
            &format!("{name}-internal.html"),
            internal_page(&part, &inside)?,
        )?;
    }
    write("compare.html", compare_page(&comparison(false))?)?;
    write("compare-internal.html", compare_page(&comparison(true))?)?;
    Ok(())
}
