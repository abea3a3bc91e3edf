//! Columnar files to begin with, in the forms and encodings that other programs write.

use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder, UInt32Builder};
use arrow_array::types::Int32Type;
use arrow_array::{
    Array, ArrayRef, BinaryArray, BooleanArray, DictionaryArray, Float64Array, Int64Array,
    RecordBatch, StringArray, TimestampMillisecondArray,
};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use arrow_schema::{Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding, GzipLevel, ZstdLevel};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};

const ARROW: &str = "Arrow takes sound columns";

/// A table of named columns; a `geo` entry describes its geometry, if it has one.
pub(crate) fn batch(columns: Vec<(&str, ArrayRef)>, geo: Option<&str>) -> RecordBatch {
    let field =
        |(name, array): &(&str, ArrayRef)| Field::new(*name, array.data_type().clone(), true);
    let fields: Vec<Field> = columns.iter().map(field).collect();
    let metadata = geo.map(|geo| ("geo".to_owned(), geo.to_owned()));
    let schema = Schema::new(fields).with_metadata(metadata.into_iter().collect());
    let arrays = columns.into_iter().map(|(_, array)| array).collect();
    RecordBatch::try_new(Arc::new(schema), arrays).expect(ARROW)
}

/// A table as an Arrow stream.
pub(crate) fn as_stream(batch: &RecordBatch) -> Vec<u8> {
    let mut writer = StreamWriter::try_new(Vec::new(), &batch.schema()).expect(ARROW);
    writer.write(batch).expect(ARROW);
    writer.into_inner().expect(ARROW)
}

fn as_file(batch: &RecordBatch, compression: Option<CompressionType>) -> Vec<u8> {
    let options = IpcWriteOptions::default().try_with_compression(compression);
    let options = options.expect(ARROW);
    let writer = FileWriter::try_new_with_options(Vec::new(), &batch.schema(), options);
    let mut writer = writer.expect(ARROW);
    writer.write(batch).expect(ARROW);
    writer.into_inner().expect(ARROW)
}

fn as_parquet(batch: &RecordBatch, properties: WriterProperties) -> Vec<u8> {
    let mut bytes = Vec::new();
    let writer = ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties));
    let mut writer = writer.expect(ARROW);
    writer.write(batch).expect(ARROW);
    writer.close().expect(ARROW);
    bytes
}

/// A table in every form.
fn all_forms(batch: &RecordBatch) -> Vec<Vec<u8>> {
    let plain = || {
        WriterProperties::builder()
            .set_statistics_enabled(EnabledStatistics::None)
            .set_max_row_group_row_count(Some(2))
    };
    let packed = |codec| plain().set_compression(codec).build();
    let encoded = |encoding| {
        let version = WriterVersion::PARQUET_2_0;
        plain()
            .set_dictionary_enabled(false)
            .set_writer_version(version)
            .set_encoding(encoding)
            .build()
    };
    vec![
        as_parquet(batch, packed(Compression::UNCOMPRESSED)),
        as_parquet(batch, packed(Compression::SNAPPY)),
        as_parquet(batch, packed(Compression::GZIP(GzipLevel::default()))),
        as_parquet(batch, packed(Compression::LZ4_RAW)),
        as_parquet(batch, packed(Compression::ZSTD(ZstdLevel::default()))),
        as_parquet(batch, encoded(Encoding::PLAIN)),
        as_stream(batch),
        as_file(batch, None),
        as_file(batch, Some(CompressionType::LZ4_FRAME)),
        as_file(batch, Some(CompressionType::ZSTD)),
    ]
}

fn texts(values: &[&str]) -> ArrayRef {
    Arc::new(StringArray::from(values.to_vec()))
}

fn numbers(values: &[i64]) -> ArrayRef {
    Arc::new(Int64Array::from(values.to_vec()))
}

fn coded(values: &[&str]) -> ArrayRef {
    let array: DictionaryArray<Int32Type> = values.iter().copied().collect();
    Arc::new(array)
}

fn degrees(values: &[Option<f64>]) -> ArrayRef {
    Arc::new(Float64Array::from(values.to_vec()))
}

/// Four visits by label.
pub(crate) fn visits_by_label() -> Vec<Vec<u8>> {
    let fares = BooleanArray::from(vec![Some(true), None, Some(true), None]);
    let table = batch(
        vec![
            ("uid", texts(&["x", "y", "x", "y"])),
            ("trip", numbers(&[1, 1, 2, 1])),
            ("location", coded(&["A", "B", "B", "A"])),
            (
                "datetime",
                numbers(&[1_551_423_600, 1_551_423_660, 1_551_427_200, 1_551_420_000]),
            ),
            ("fare", Arc::new(fares)),
        ],
        None,
    );
    all_forms(&table)
}

/// Three visits by degrees, one of them without.
pub(crate) fn visits_by_point() -> Vec<Vec<u8>> {
    let times = [1_551_423_600_000, 1_551_423_660_500, 1_551_427_200_000];
    let times = TimestampMillisecondArray::from(times.to_vec());
    let table = batch(
        vec![
            ("uid", numbers(&[7, 7, 8])),
            ("trip", texts(&["a", "b", "a"])),
            ("lat", degrees(&[Some(45.5), None, Some(45.6)])),
            ("lng", degrees(&[Some(-73.56), Some(1.0), Some(-73.5)])),
            ("datetime", Arc::new(times.with_timezone("UTC"))),
            ("fare", texts(&["adult", "adult", ""])),
        ],
        None,
    );
    all_forms(&table)
}

/// A point as well-known binary.
pub(crate) fn wkb(little: bool, code: u32, srid: Option<u32>, numbers: &[f64]) -> Vec<u8> {
    let word = |value: u32| match little {
        true => value.to_le_bytes(),
        false => value.to_be_bytes(),
    };
    let mut bytes = vec![u8::from(little)];
    bytes.extend(word(code));
    bytes.extend(srid.map(word).into_iter().flatten());
    bytes.extend(numbers.iter().flat_map(|number| match little {
        true => number.to_le_bytes(),
        false => number.to_be_bytes(),
    }));
    bytes
}

/// What GeoParquet says about a column of well-known binary.
pub(crate) const GEO: &str = r#"{"version":"1.1.0","primary_column":"geometry","columns":{"geometry":{"encoding":"WKB","geometry_types":["Point"],"crs":{"id":{"authority":"EPSG","code":4326}}}}}"#;

/// A table of points in well-known binary: one person, a minute apart.
pub(crate) fn geometry(points: ArrayRef) -> RecordBatch {
    let rows = points.len() as i64;
    let times: Vec<i64> = (0..rows).map(|row| 1_551_423_600 + row * 60).collect();
    let columns = vec![
        ("uid", texts(&vec!["x"; points.len()])),
        ("datetime", numbers(&times)),
        ("geometry", points),
    ];
    batch(columns, Some(GEO))
}

/// The same in every form.
pub(crate) fn geometry_files() -> Vec<Vec<u8>> {
    let points = [
        wkb(true, 1, None, &[-73.56, 45.5]),
        wkb(false, 1001, None, &[-73.5, 45.6, 9.0]),
    ];
    all_forms(&geometry(Arc::new(BinaryArray::from_iter_values(points))))
}

/// Three trajectories, one of them without visits.
pub(crate) fn trajectories() -> Vec<Vec<u8>> {
    let mut labels = ListBuilder::new(StringBuilder::new());
    let mut bins = ListBuilder::new(UInt32Builder::new());
    for (trip, times) in [
        (&["A", "B", "A"][..], &[0, 1, 23][..]),
        (&[], &[]),
        (&["B"], &[7]),
    ] {
        labels.append_value(trip.iter().map(|&label| Some(label)));
        bins.append_value(times.iter().map(|&bin| Some(bin)));
    }
    let table = batch(
        vec![
            ("locations", Arc::new(labels.finish())),
            ("bins", Arc::new(bins.finish())),
            ("uid", texts(&["x", "y", "x"])),
            ("fare", coded(&["adult", "child", "adult"])),
        ],
        None,
    );
    all_forms(&table)
}
