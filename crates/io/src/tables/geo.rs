//! What a GeoParquet file says about its geometry.

use arrow_schema::{DataType, Field, Schema};
use serde_json::Value;
use wayveil_core::{Error, Result};

use super::wkb::reproject;

/// The metadata key.
const KEY: &str = "geo";

/// Names of longitude and latitude in degrees, where a reference system is told by its name.
const DEGREES: [&str; 2] = ["EPSG:4326", "OGC:CRS84"];

/// How points are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// Well-known binary.
    Wkb,
    /// Two columns of a struct, or lists of two.
    Native,
}

/// The column that holds a file's geometry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Geometry {
    pub(super) column: String,
    pub(super) encoding: Encoding,
}

/// The primary column of geometry, if the file names one, or the one column that is marked as geometry
/// by itself; its coordinates must be degrees.
pub(super) fn geometry(schema: &Schema, file: &str) -> Result<Option<Geometry>> {
    let Some(text) = schema.metadata().get(KEY) else {
        return marked(schema).map_err(|error| error.in_file(file));
    };
    let read = || -> Result<Geometry> {
        let broken = |what: &str| {
            Error::input(format!("the file's \"geo\" metadata is damaged: {what}"))
                .hint("write the file again, or name the columns of degrees with --lat-column NAME --lng-column NAME")
        };
        let geo: Value = serde_json::from_str(text).map_err(|_| broken("it is no JSON"))?;
        let name = geo["primary_column"].as_str();
        let name = name.ok_or_else(|| broken("it has no primary_column"))?;
        let column = &geo["columns"][name];
        let encoding = column["encoding"].as_str();
        let encoding = encoding.ok_or_else(|| broken("its column has no encoding"))?;
        let encoding = match encoding {
            wkb if wkb.eq_ignore_ascii_case("wkb") => Encoding::Wkb,
            "point" | "geoarrow.point" => Encoding::Native,
            "geoarrow.wkb" => Encoding::Wkb,
            other => {
                return Err(Error::input(format!(
                    "the geometry is encoded as {other:?}; points are needed, as \"WKB\" or \"point\""
                ))
                .hint("give a file of points, one per visit"));
            }
        };
        check_crs(column.get("crs"))?;
        Ok(Geometry {
            column: name.to_owned(),
            encoding,
        })
    };
    read().map(Some).map_err(|error| error.in_file(file))
}

/// The column that GeoArrow's extension types mark, as programs do that hand tables over in memory.
fn marked(schema: &Schema) -> Result<Option<Geometry>> {
    let kind = |field: &Field| field.metadata().get("ARROW:extension:name").cloned();
    let fields = schema.fields().iter();
    let geometric: Vec<_> = fields
        .filter_map(|field| Some((field, kind(field)?)))
        .filter(|(_, kind)| kind.starts_with("geoarrow.") || kind == "ogc.wkb")
        .collect();
    let [(field, kind)] = geometric.as_slice() else {
        return match geometric.is_empty() {
            true => Ok(None),
            false => Err(Error::input("several columns are geometry")
                .hint("keep the one of points, or name columns of degrees with --lat-column NAME --lng-column NAME")),
        };
    };
    let encoding = match kind.as_str() {
        "geoarrow.wkb" | "ogc.wkb" => Encoding::Wkb,
        "geoarrow.point" => Encoding::Native,
        other => {
            let shape = other.trim_start_matches("geoarrow.");
            return Err(Error::input(format!(
                "the geometry is of the kind {shape}, not of points"
            ))
            .at_column(field.name())
            .hint("give a table of points, one per visit"));
        }
    };
    let described = field.metadata().get("ARROW:extension:metadata");
    let described: Value = described
        .and_then(|text| serde_json::from_str(text).ok())
        .unwrap_or_default();
    // Here no word means that nobody knows.
    check_crs(Some(&described["crs"])).map_err(|error| error.at_column(field.name()))?;
    Ok(Some(Geometry {
        column: field.name().clone(),
        encoding,
    }))
}

/// Without a word, coordinates are longitude and latitude; a null says that nobody knows.
fn check_crs(crs: Option<&Value>) -> Result<()> {
    let Some(crs) = crs else {
        return Ok(());
    };
    if crs.is_null() {
        return Err(Error::input("the points have no known reference system")
            .hint("say which one it is, in geopandas: frame.set_crs(4326)"));
    }
    let (authority, code) = (&crs["id"]["authority"], &crs["id"]["code"]);
    let code_text = code.as_str().map(str::to_owned);
    let code = code_text.unwrap_or_else(|| code.to_string());
    match authority.as_str() {
        Some("EPSG") if code == "4326" => Ok(()),
        Some("OGC") if code == "CRS84" => Ok(()),
        Some(authority) => Err(reproject(&format!(
            "the reference system {authority}:{code}"
        ))),
        None if crs.as_str().is_some_and(|name| DEGREES.contains(&name)) => Ok(()),
        None if crs.is_string() => Err(Error::input(
            "the points' reference system is written as text, as GeoParquet did before 1.0",
        )
        .hint("write the file again as GeoParquet 1.0 or later")),
        None => match crs["name"].as_str() {
            Some(name) => Err(reproject(&format!("the reference system {name:?}"))),
            None => Err(reproject("a reference system without a name")),
        },
    }
}

impl Encoding {
    /// Whether a column of this type can be so encoded.
    pub(super) fn fits(self, data_type: &DataType) -> bool {
        use DataType::{Binary, BinaryView, FixedSizeList, Float64, LargeBinary, Struct};
        match (self, data_type) {
            (Self::Wkb, Binary | LargeBinary | BinaryView) => true,
            (Self::Native, Struct(fields)) => ["x", "y"].iter().all(|&name| {
                let found = fields.iter().find(|field| field.name() == name);
                found.is_some_and(|field| field.data_type() == &Float64)
            }),
            (Self::Native, FixedSizeList(item, 2..=4)) => item.data_type() == &Float64,
            _ => false,
        }
    }
}
