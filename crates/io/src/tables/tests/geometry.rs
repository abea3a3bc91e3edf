//! Points in well-known binary and in structs, and what a file says about them.

use arrow_array::{
    Array, BinaryArray, BinaryViewArray, FixedSizeListArray, Float64Array, LargeBinaryArray,
    StructArray,
};
use arrow_schema::DataType;

use super::super::wkb::point;
use super::*;
use crate::events::InvalidPoints;

/// A geometry's bytes: order, code, perhaps an SRID, coordinates.
fn wkb(little: bool, code: u32, srid: Option<u32>, numbers: &[f64]) -> Vec<u8> {
    let word = |value: u32| {
        if little {
            value.to_le_bytes()
        } else {
            value.to_be_bytes()
        }
    };
    let mut bytes = vec![u8::from(little)];
    bytes.extend(word(code));
    bytes.extend(srid.map(word).into_iter().flatten());
    for number in numbers {
        bytes.extend(if little {
            number.to_le_bytes()
        } else {
            number.to_be_bytes()
        });
    }
    bytes
}

#[test]
fn reads_points_of_every_form() {
    for little in [true, false] {
        let at = |code: u32, srid: Option<u32>, numbers: &[f64]| {
            point(&wkb(little, code, srid, numbers)).unwrap()
        };
        let (x, y) = (-73.5, 45.25);
        let here = Some((x, y));
        assert_eq!(at(1, None, &[x, y]), here);
        assert_eq!(at(1001, None, &[x, y, 9.0]), here);
        assert_eq!(at(2001, None, &[x, y, 9.0]), here);
        assert_eq!(at(3001, None, &[x, y, 9.0, 8.0]), here);
        assert_eq!(at(0x8000_0001, None, &[x, y, 9.0]), here);
        assert_eq!(at(0x4000_0001, None, &[x, y, 9.0]), here);
        assert_eq!(at(0xc000_0001, None, &[x, y, 9.0, 8.0]), here);
        assert_eq!(at(0x2000_0001, Some(4326), &[x, y]), here);
        assert_eq!(at(0xe000_0001, Some(0), &[x, y, 9.0, 8.0]), here);
        assert_eq!(at(1, None, &[f64::NAN, f64::NAN]), None);
    }
    let by_hand = [
        1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0xc0,
    ];
    assert_eq!(point(&by_hand).unwrap(), Some((1.0, -2.0)));
}

#[test]
fn refuses_what_is_no_point() {
    let message = |bytes: &[u8]| point(bytes).unwrap_err().message().to_owned();
    let line = wkb(true, 2, None, &[1.0]);
    assert_eq!(message(&line), "the geometry is a LineString, not a Point");
    assert!(message(&wkb(false, 3006, None, &[])).contains("MultiPolygon"));
    assert!(message(&wkb(true, 17, None, &[])).contains("no known type"));
    assert!(message(&wkb(true, 4001, None, &[])).contains("no known type"));
    let metres = wkb(true, 0x2000_0001, Some(3857), &[1.0, 2.0]);
    assert!(message(&metres).contains("the SRID 3857"));
    let whole = wkb(true, 1, None, &[1.0, 2.0]);
    for length in 0..whole.len() {
        assert!(message(&whole[..length]).contains("no well-known binary"));
    }
    assert!(message(&[&whole[..], &[0]].concat()).contains("no well-known binary"));
    assert!(message(&[&[2], &whole[1..]].concat()).contains("no well-known binary"));
}

fn table(geometry: ArrayRef, geo: Option<&str>) -> RecordBatch {
    let rows = geometry.len();
    let plain = batch(vec![
        ("uid", texts(&vec!["x"; rows])),
        ("datetime", numbers(&(0..rows as i64).collect::<Vec<_>>())),
        ("geometry", geometry),
    ]);
    let metadata = geo.map(|geo| ("geo".to_owned(), geo.to_owned()));
    let schema = Schema::clone(&plain.schema()).with_metadata(metadata.into_iter().collect());
    plain.with_schema(Arc::new(schema)).unwrap()
}

fn geo(encoding: &str, crs: &str) -> String {
    format!(
        r#"{{"version":"1.1.0","primary_column":"geometry","columns":{{"geometry":{{"encoding":"{encoding}","geometry_types":["Point"]{crs}}}}}}}"#
    )
}

const WHERE: [(f64, f64); 3] = [(-73.95, 45.05), (-73.05, 45.95), (-80.0, 45.5)];

fn as_bytes() -> Vec<Vec<u8>> {
    let bytes = |(x, y): &(f64, f64)| wkb(true, 1, None, &[*x, *y]);
    WHERE.iter().map(bytes).collect()
}

#[test]
fn takes_the_primary_geometry() {
    let bytes = as_bytes();
    let views = || bytes.iter().map(Vec::as_slice);
    let [x, y]: [Vec<f64>; 2] = [
        WHERE.iter().map(|it| it.0).collect(),
        WHERE.iter().map(|it| it.1).collect(),
    ];
    let field = |name: &str| Arc::new(Field::new(name, DataType::Float64, true));
    let structs = StructArray::from(vec![
        (field("x"), Arc::new(Float64Array::from(x)) as ArrayRef),
        (field("y"), Arc::new(Float64Array::from(y)) as ArrayRef),
    ]);
    let flat: Vec<f64> = WHERE.iter().flat_map(|it| [it.0, it.1]).collect();
    let lists = FixedSizeListArray::new(field("xy"), 2, Arc::new(Float64Array::from(flat)), None);
    let columns: Vec<(ArrayRef, &str)> = vec![
        (Arc::new(BinaryArray::from_iter_values(views())), "WKB"),
        (Arc::new(LargeBinaryArray::from_iter_values(views())), "WKB"),
        (Arc::new(BinaryViewArray::from_iter_values(views())), "WKB"),
        (Arc::new(structs), "point"),
        (Arc::new(lists), "point"),
    ];
    let by_columns = batch(vec![
        ("uid", texts(&["x"; 3])),
        ("datetime", numbers(&[0, 1, 2])),
        (
            "lat",
            Arc::new(Float64Array::from(WHERE.map(|it| it.1).to_vec())),
        ),
        (
            "lng",
            Arc::new(Float64Array::from(WHERE.map(|it| it.0).to_vec())),
        ),
    ]);
    let expected = import_all(&by_columns, &places()).unwrap();
    assert_eq!(expected.summary.outside_area, 1);
    for (column, encoding) in columns {
        for crs in [
            "",
            r#","crs":{"id":{"authority":"EPSG","code":4326}}"#,
            r#","crs":{"id":{"authority":"OGC","code":"CRS84"}}"#,
        ] {
            let file = table(column.clone(), Some(&geo(encoding, crs)));
            assert_eq!(
                import_all(&file, &places()).unwrap(),
                expected,
                "{encoding}"
            );
        }
    }
}

/// A table whose columns of geometry are marked by extension types, as in memory.
fn marked(kind: &str, described: Option<&str>, twice: bool) -> RecordBatch {
    let column: ArrayRef = Arc::new(BinaryArray::from_iter_values(as_bytes()));
    let mut columns = vec![("geometry", column.clone())];
    if twice {
        columns.push(("other", column));
    }
    let mut all = vec![("uid", texts(&["x"; 3])), ("datetime", numbers(&[0, 1, 2]))];
    all.extend(columns);
    let plain = batch(all);
    let schema = plain.schema();
    let fields = schema.fields().iter().map(|field| {
        let mut metadata = std::collections::HashMap::new();
        if field.data_type() == &DataType::Binary {
            metadata.insert("ARROW:extension:name".to_owned(), kind.to_owned());
            let described = described.map(str::to_owned);
            metadata.extend(described.map(|it| ("ARROW:extension:metadata".to_owned(), it)));
        }
        Field::clone(field).with_metadata(metadata)
    });
    let marked = Schema::new(fields.collect::<Vec<_>>());
    plain.with_schema(Arc::new(marked)).unwrap()
}

#[test]
fn takes_the_column_that_an_extension_type_marks() {
    let known = Some(r#"{"crs":{"id":{"authority":"EPSG","code":4326}}}"#);
    let expected = table(
        Arc::new(BinaryArray::from_iter_values(as_bytes())),
        Some(&geo("WKB", "")),
    );
    let expected = import_all(&expected, &places()).unwrap();
    for described in [known, Some(r#"{"crs":"OGC:CRS84"}"#)] {
        let file = marked("geoarrow.wkb", described, false);
        assert_eq!(import_all(&file, &places()).unwrap(), expected);
    }
    let refused = |file: RecordBatch| import_all(&file, &places()).unwrap_err().to_string();
    for unknown in [None, Some("{}"), Some("{")] {
        let said = refused(marked("geoarrow.wkb", unknown, false));
        assert!(said.contains("no known reference system"), "{said}");
    }
    let metres = Some(r#"{"crs":{"id":{"authority":"EPSG","code":3857}}}"#);
    assert!(refused(marked("geoarrow.wkb", metres, false)).contains("EPSG:3857"));
    assert!(refused(marked("geoarrow.linestring", known, false)).contains("linestring"));
    assert!(refused(marked("geoarrow.wkb", known, true)).contains("several columns"));
    // Another kind of extension says nothing.
    assert!(refused(marked("my.own", known, false)).contains("no column \"lat\""));
}

#[test]
fn other_reference_systems_are_refused() {
    let column: ArrayRef = Arc::new(BinaryArray::from_iter_values(as_bytes()));
    let refused = |geo: &str| {
        let error = import_all(&table(column.clone(), Some(geo)), &places()).unwrap_err();
        assert_eq!(error.place().unwrap().file, "taps");
        format!("{} / {}", error.message(), error.advice().unwrap())
    };
    let metres = refused(&geo(
        "WKB",
        r#","crs":{"id":{"authority":"EPSG","code":3857}}"#,
    ));
    assert!(
        metres.starts_with("the points have the reference system EPSG:3857"),
        "{metres}"
    );
    assert!(metres.contains("to_crs(4326)"), "{metres}");
    assert!(refused(&geo("WKB", r#","crs":null"#)).contains("no known reference system"));
    assert!(refused(&geo("WKB", r#","crs":{"name":"My town"}"#)).contains("\"My town\""));
    assert!(refused(&geo("WKB", r#","crs":"EPSG:4326 as text""#)).contains("before 1.0"));
    assert!(refused(&geo("polygon", "")).contains("encoded as \"polygon\""));
    assert!(refused(&geo("point", "")).contains("the type Binary, which is no point"));
    assert!(refused("{").contains("no JSON"));
    assert!(refused("{}").contains("no primary_column"));
    assert!(refused(&geo("WKB", "").replace("geometry", "shape")).contains("no such column"));
    // Without such metadata, columns of degrees are looked for.
    let error = import_all(&table(column, None), &places()).unwrap_err();
    assert!(error.message().starts_with("there is no column \"lat\""));
}

#[test]
fn geometry_that_is_no_point_is_an_error_and_an_empty_one_is_counted() {
    let empty = wkb(true, 1, None, &[f64::NAN, f64::NAN]);
    let here = as_bytes().remove(0);
    let file = |second: Option<&[u8]>| {
        let rows = vec![Some(here.as_slice()), second];
        table(Arc::new(BinaryArray::from(rows)), Some(&geo("WKB", "")))
    };
    let mut dropping = places();
    if let Position::Point { invalid, .. } = &mut dropping.position {
        *invalid = InvalidPoints::Drop;
    }
    let beyond = wkb(true, 1, None, &[-73.5, 95.0]);
    for (second, message) in [
        (None, "row 2: the point is missing (null)"),
        (Some(empty.as_slice()), "row 2: the point is missing (null)"),
        (
            Some(beyond.as_slice()),
            "row 2: invalid latitude (got \"95.0\")",
        ),
    ] {
        let error = import_all(&file(second), &places()).unwrap_err();
        let expected = format!("taps column geometry: {message}");
        assert!(error.to_string().starts_with(&expected), "{error}");
        assert_eq!(
            import_all(&file(second), &dropping)
                .unwrap()
                .summary
                .invalid_points,
            1
        );
    }
    let line = wkb(true, 2, None, &[]);
    let error = import_all(&file(Some(&line)), &dropping).unwrap_err();
    let expected = "taps column geometry: row 2: the geometry is a LineString, not a Point";
    assert_eq!(error.to_string(), expected);
}
