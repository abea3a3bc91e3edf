//! Columns of degrees, and of geometry.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type, DecimalType, Float32Type,
    Float64Type,
};
use arrow_array::{Array, ArrayRef, FixedSizeListArray, Float32Array, Float64Array, StructArray};
use arrow_schema::DataType;
use wayveil_core::{Error, Result};

use super::geo::Encoding;
use super::texts::{Texts, is_text_or_integer};
use super::wkb;
use crate::events::degrees;

/// Whether a column of this type can hold degrees.
pub(super) fn is_degrees(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Float64 | DataType::Float32)
        || data_type.is_decimal()
        || is_text_or_integer(data_type)
}

/// A column of degrees.
pub(super) enum Degrees<'a> {
    Double(&'a Float64Array),
    Single(&'a Float32Array),
    Decimal(Box<dyn Fn(usize) -> Option<String> + 'a>),
    Written(Texts<'a>),
}

impl<'a> Degrees<'a> {
    /// None for types other than those of [`is_degrees`].
    pub(super) fn of(array: &'a dyn Array) -> Option<Self> {
        Some(match array.data_type() {
            DataType::Float64 => Self::Double(array.as_primitive_opt::<Float64Type>()?),
            DataType::Float32 => Self::Single(array.as_primitive_opt::<Float32Type>()?),
            DataType::Decimal32(..) => Self::Decimal(decimal::<Decimal32Type>(array)?),
            DataType::Decimal64(..) => Self::Decimal(decimal::<Decimal64Type>(array)?),
            DataType::Decimal128(..) => Self::Decimal(decimal::<Decimal128Type>(array)?),
            DataType::Decimal256(..) => Self::Decimal(decimal::<Decimal256Type>(array)?),
            _ => Self::Written(Texts::of(array)?),
        })
    }

    /// The degrees of a row, between `-most` and `most`. The error has no place.
    pub(super) fn get(&self, row: usize, most: f64, what: &str) -> Result<f64> {
        let written = match self {
            Self::Double(values) if values.is_valid(row) => {
                return checked(values.value(row), most, what);
            }
            Self::Single(values) if values.is_valid(row) => {
                return checked(f64::from(values.value(row)), most, what);
            }
            Self::Double(_) | Self::Single(_) => None,
            Self::Decimal(text) => text(row).map(|text| degrees(&text, most, what)),
            Self::Written(texts) => {
                let mut scratch = String::new();
                let text = texts.get(row, &mut scratch);
                text.map(|text| degrees(text, most, what))
            }
        };
        written.unwrap_or_else(|| Err(absent(what)))
    }
}

fn decimal<'a, T: DecimalType>(
    array: &'a dyn Array,
) -> Option<Box<dyn Fn(usize) -> Option<String> + 'a>> {
    let values = array.as_primitive_opt::<T>()?;
    Some(Box::new(move |row| {
        values.is_valid(row).then(|| values.value_as_string(row))
    }))
}

fn checked(value: f64, most: f64, what: &str) -> Result<f64> {
    match value.abs() <= most {
        true => Ok(value),
        // In the words of the text's reader.
        false => degrees(&format!("{value:?}"), most, what),
    }
}

fn absent(what: &str) -> Error {
    Error::input(format!("the {what} is missing (null)"))
        .hint("leave such rows out with --invalid drop; they are counted")
}

/// A column of points.
pub(super) enum Points<'a> {
    Wkb(Box<dyn Fn(usize) -> Option<&'a [u8]> + 'a>),
    Struct {
        points: &'a StructArray,
        x: &'a Float64Array,
        y: &'a Float64Array,
    },
    Lists {
        points: &'a FixedSizeListArray,
        values: &'a Float64Array,
    },
}

impl<'a> Points<'a> {
    /// None for types that do not fit the encoding.
    pub(super) fn of(array: &'a ArrayRef, encoding: Encoding) -> Option<Self> {
        Some(match (encoding, array.data_type()) {
            (Encoding::Wkb, DataType::Binary) => {
                let bytes = array.as_binary_opt::<i32>()?;
                Self::Wkb(Box::new(|row| {
                    bytes.is_valid(row).then(|| bytes.value(row))
                }))
            }
            (Encoding::Wkb, DataType::LargeBinary) => {
                let bytes = array.as_binary_opt::<i64>()?;
                Self::Wkb(Box::new(|row| {
                    bytes.is_valid(row).then(|| bytes.value(row))
                }))
            }
            (Encoding::Wkb, DataType::BinaryView) => {
                let bytes = array.as_binary_view_opt()?;
                Self::Wkb(Box::new(|row| {
                    bytes.is_valid(row).then(|| bytes.value(row))
                }))
            }
            (Encoding::Native, DataType::Struct(_)) => {
                let points = array.as_struct_opt()?;
                let part = |name| points.column_by_name(name)?.as_primitive_opt();
                Self::Struct {
                    points,
                    x: part("x")?,
                    y: part("y")?,
                }
            }
            (Encoding::Native, DataType::FixedSizeList(..)) => {
                let points = array.as_fixed_size_list_opt()?;
                Self::Lists {
                    points,
                    values: points.values().as_primitive_opt()?,
                }
            }
            _ => return None,
        })
    }

    /// Latitude and longitude of a row. The first kind of error is of the coordinates, and the row
    /// may be left out for it; the second is of the file.
    pub(super) fn get(&self, row: usize) -> Result<Result<(f64, f64)>> {
        let found = match self {
            Self::Wkb(bytes) => match bytes(row) {
                Some(bytes) => wkb::point(bytes)?,
                None => None,
            },
            Self::Struct { points, x, y } => {
                let whole = points.is_valid(row) && x.is_valid(row) && y.is_valid(row);
                whole.then(|| (x.value(row), y.value(row)))
            }
            Self::Lists { points, values } => {
                let at = points.value_offset(row);
                let at = usize::try_from(at).unwrap_or(usize::MAX - 1);
                let within = at + 1 < values.len() && points.is_valid(row);
                let whole = within && values.is_valid(at) && values.is_valid(at + 1);
                whole.then(|| (values.value(at), values.value(at + 1)))
            }
        };
        let found = found.filter(|(x, y)| !(x.is_nan() && y.is_nan()));
        Ok(match found {
            Some((x, y)) => checked(y, 90.0, "latitude")
                .and_then(|lat| Ok((lat, checked(x, 180.0, "longitude")?))),
            None => Err(absent("point")),
        })
    }
}
