//! Columns that are read as text: strings, whole numbers by their decimal digits, dictionaries.

use std::fmt::Write;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{
    Array, ArrowPrimitiveType, BooleanArray, LargeStringArray, StringArray, StringViewArray,
};
use arrow_buffer::NullBuffer;
use arrow_schema::DataType;

/// A column's texts, by row.
pub(super) enum Texts<'a> {
    Short(&'a StringArray),
    Long(&'a LargeStringArray),
    View(&'a StringViewArray),
    Whole(Integers),
    Truth(&'a BooleanArray),
    Coded {
        keys: Integers,
        values: Box<Texts<'a>>,
    },
    /// A column without any value.
    Nothing,
}

/// Whether a type is text or whole numbers, also by dictionary; or that of a column without any value, as programs
/// have it where there are no rows, or where every row lacks one.
pub(super) fn is_text_or_integer(data_type: &DataType) -> bool {
    match data_type {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null => true,
        DataType::Dictionary(_, values) => is_text_or_integer(values),
        other => other.is_integer(),
    }
}

/// Whether a type can be an attribute's: also truth values.
pub(super) fn is_attribute(data_type: &DataType) -> bool {
    match data_type {
        DataType::Boolean => true,
        DataType::Dictionary(_, values) => is_attribute(values),
        other => is_text_or_integer(other),
    }
}

impl<'a> Texts<'a> {
    /// None for other types than those of [`is_attribute`].
    pub(super) fn of(array: &'a dyn Array) -> Option<Self> {
        Some(match array.data_type() {
            DataType::Utf8 => Self::Short(array.as_string_opt()?),
            DataType::LargeUtf8 => Self::Long(array.as_string_opt()?),
            DataType::Utf8View => Self::View(array.as_string_view_opt()?),
            DataType::Boolean => Self::Truth(array.as_boolean_opt()?),
            DataType::Null => Self::Nothing,
            DataType::Dictionary(..) => {
                let coded = array.as_any_dictionary_opt()?;
                Self::Coded {
                    keys: Integers::of(coded.keys())?,
                    values: Box::new(Self::of(coded.values())?),
                }
            }
            _ => Self::Whole(Integers::of(array)?),
        })
    }

    /// The text of a row, none if it is null; numbers are written into `scratch`.
    pub(super) fn get<'t>(&'t self, row: usize, scratch: &'t mut String) -> Option<&'t str> {
        match self {
            Self::Short(texts) => texts.is_valid(row).then(|| texts.value(row)),
            Self::Long(texts) => texts.is_valid(row).then(|| texts.value(row)),
            Self::View(texts) => texts.is_valid(row).then(|| texts.value(row)),
            Self::Truth(values) => values.is_valid(row).then(|| match values.value(row) {
                true => "true",
                false => "false",
            }),
            Self::Whole(numbers) => numbers.get(row).map(|number| {
                scratch.clear();
                // Writing to a string does not fail.
                let _ = write!(scratch, "{number}");
                scratch.as_str()
            }),
            Self::Coded { keys, values } => {
                let key = usize::try_from(keys.get(row)?).ok()?;
                values.get(key, scratch)
            }
            Self::Nothing => None,
        }
    }
}

/// Whole numbers of any width.
pub(super) struct Integers {
    values: Values,
    nulls: Option<NullBuffer>,
}

enum Values {
    Signed(Vec<i64>),
    Unsigned(Vec<u64>),
}

impl Integers {
    /// None for other types.
    pub(super) fn of(array: &dyn Array) -> Option<Self> {
        let values = match array.data_type() {
            DataType::Int8 => Values::Signed(widened::<Int8Type, i64>(array)?),
            DataType::Int16 => Values::Signed(widened::<Int16Type, i64>(array)?),
            DataType::Int32 => Values::Signed(widened::<Int32Type, i64>(array)?),
            DataType::Int64 => Values::Signed(widened::<Int64Type, i64>(array)?),
            DataType::UInt8 => Values::Unsigned(widened::<UInt8Type, u64>(array)?),
            DataType::UInt16 => Values::Unsigned(widened::<UInt16Type, u64>(array)?),
            DataType::UInt32 => Values::Unsigned(widened::<UInt32Type, u64>(array)?),
            DataType::UInt64 => Values::Unsigned(widened::<UInt64Type, u64>(array)?),
            _ => return None,
        };
        Some(Self {
            values,
            nulls: array.nulls().cloned(),
        })
    }

    /// The number of a row, none if it is null.
    pub(super) fn get(&self, row: usize) -> Option<i128> {
        if self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)) {
            return None;
        }
        match &self.values {
            Values::Signed(values) => values.get(row).map(|&value| value.into()),
            Values::Unsigned(values) => values.get(row).map(|&value| value.into()),
        }
    }
}

fn widened<T: ArrowPrimitiveType, W: From<T::Native>>(array: &dyn Array) -> Option<Vec<W>> {
    let values = array.as_primitive_opt::<T>()?.values();
    Some(values.iter().map(|&value| value.into()).collect())
}
