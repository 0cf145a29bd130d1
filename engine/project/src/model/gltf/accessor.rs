//! Numbers out of a glTF file's buffers. Nothing that the file says about offsets, strides, counts and types is
//! believed: whatever lies beyond its buffer is an error, and all that is read counts against one budget.

use std::cell::Cell;

use gltf::accessor::{DataType, Dimensions};

/// Numbers read from one file at most, however often it refers to the same ones.
const MOST_VALUES: usize = 48_000_000;

/// The buffers of one file.
pub(super) struct Buffers {
    data: Vec<Vec<u8>>,
    values_left: Cell<usize>,
}

impl Buffers {
    pub(super) fn new(data: Vec<Vec<u8>>) -> Self {
        Self { data, values_left: Cell::new(MOST_VALUES) }
    }

    /// The bytes of a view.
    pub(super) fn view(&self, view: &gltf::buffer::View<'_>) -> Result<&[u8], String> {
        let end = view.offset().checked_add(view.length());
        let buffer = self.data.get(view.buffer().index());
        end.and_then(|end| buffer?.get(view.offset()..end))
            .ok_or_else(|| format!("buffer view {} lies beyond its buffer", view.index()))
    }

    /// Real numbers, one list after the other.
    pub(super) fn floats(
        &self,
        accessor: &gltf::Accessor<'_>,
        shapes: &[Dimensions],
    ) -> Result<Vec<f32>, String> {
        let number = accessor.index();
        if accessor.data_type() != DataType::F32 {
            return Err(format!("accessor {number} must hold F32, not {:?}", accessor.data_type()));
        }
        let values = self.read(accessor, shapes, |value| value as f32)?;
        if values.iter().any(|value| !value.is_finite()) {
            return Err(format!("accessor {number} holds something that is no number"));
        }
        Ok(values)
    }

    /// Real numbers that may be written as integers, which are then fractions of their largest value.
    pub(super) fn fractions(
        &self,
        accessor: &gltf::Accessor<'_>,
        shapes: &[Dimensions],
    ) -> Result<Vec<f32>, String> {
        let most = match accessor.data_type() {
            DataType::I8 => f64::from(i8::MAX),
            DataType::U8 => f64::from(u8::MAX),
            DataType::I16 => f64::from(i16::MAX),
            DataType::U16 => f64::from(u16::MAX),
            DataType::U32 | DataType::F32 => return self.floats(accessor, shapes),
        };
        self.read(accessor, shapes, |value| (value / most).max(-1.0) as f32)
    }

    /// Whole numbers from 0.
    pub(super) fn integers(
        &self,
        accessor: &gltf::Accessor<'_>,
        shapes: &[Dimensions],
    ) -> Result<Vec<u32>, String> {
        if !matches!(accessor.data_type(), DataType::U8 | DataType::U16 | DataType::U32) {
            return Err(format!(
                "accessor {} must hold unsigned integers, not {:?}",
                accessor.index(),
                accessor.data_type()
            ));
        }
        self.read(accessor, shapes, |value| value as u32)
    }

    fn read<T: Copy + Default>(
        &self,
        accessor: &gltf::Accessor<'_>,
        shapes: &[Dimensions],
        convert: impl Fn(f64) -> T,
    ) -> Result<Vec<T>, String> {
        let (number, shape) = (accessor.index(), accessor.dimensions());
        if !shapes.contains(&shape) {
            return Err(format!("accessor {number} must hold {shapes:?}, not {shape:?}"));
        }
        let (parts, count) = (shape.multiplicity(), accessor.count());
        let left = count.checked_mul(parts).and_then(|total| self.values_left.get().checked_sub(total));
        let Some(left) = left else {
            return Err(format!("it has more than {MOST_VALUES} numbers"));
        };
        self.values_left.set(left);
        let layout = Layout { kind: accessor.data_type(), parts, count };
        let mut values = match accessor.view() {
            Some(view) => layout.gather(self.view(&view)?, accessor.offset(), view.stride(), &convert),
            None => Some(vec![T::default(); count * parts]),
        }
        .ok_or_else(|| format!("accessor {number} lies beyond its buffer view"))?;
        if let Some(sparse) = accessor.sparse() {
            self.replace(&sparse, layout, &convert, &mut values)
                .ok_or_else(|| format!("the sparse part of accessor {number} lies beyond what it changes"))?;
        }
        Ok(values)
    }

    /// Puts the few values of a sparse accessor over the others; nothing where one of them has no place.
    fn replace<T: Copy>(
        &self,
        sparse: &gltf::accessor::sparse::Sparse<'_>,
        layout: Layout,
        convert: impl Fn(f64) -> T,
        values: &mut [T],
    ) -> Option<()> {
        use gltf::accessor::sparse::IndexType;
        let (indices, replacements) = (sparse.indices(), sparse.values());
        let kind = match indices.index_type() {
            IndexType::U8 => DataType::U8,
            IndexType::U16 => DataType::U16,
            IndexType::U32 => DataType::U32,
        };
        let count = sparse.count();
        if count > layout.count {
            return None;
        }
        let view = indices.view();
        let places = Layout { kind, parts: 1, count }.gather(
            self.view(&view).ok()?,
            indices.offset(),
            view.stride(),
            |value| value as usize,
        )?;
        let view = replacements.view();
        let new = Layout { count, ..layout }.gather(
            self.view(&view).ok()?,
            replacements.offset(),
            view.stride(),
            convert,
        )?;
        for (place, value) in places.iter().zip(new.chunks_exact(layout.parts)) {
            let start = place.checked_mul(layout.parts)?;
            values.get_mut(start..start.checked_add(layout.parts)?)?.copy_from_slice(value);
        }
        Some(())
    }
}

/// How numbers lie in bytes.
#[derive(Clone, Copy)]
struct Layout {
    kind: DataType,
    /// Numbers of one value.
    parts: usize,
    /// Values.
    count: usize,
}

impl Layout {
    /// All numbers; nothing where they do not all lie in the bytes.
    fn gather<T>(
        self,
        bytes: &[u8],
        offset: usize,
        stride: Option<usize>,
        convert: impl Fn(f64) -> T,
    ) -> Option<Vec<T>> {
        let Some(last) = self.count.checked_sub(1) else { return Some(Vec::new()) };
        let size = self.kind.size();
        let value = size.checked_mul(self.parts)?;
        let stride = stride.unwrap_or(value);
        if stride < value {
            return None;
        }
        let end = stride.checked_mul(last)?.checked_add(value)?.checked_add(offset)?;
        let bytes = bytes.get(offset..end)?;
        let mut numbers = Vec::with_capacity(self.count * self.parts);
        for chunk in bytes.chunks(stride) {
            let numbers_of_one = chunk.get(..value)?.chunks_exact(size);
            numbers.extend(numbers_of_one.map(|number| convert(read_number(number, self.kind))));
        }
        Some(numbers)
    }
}

fn read_number(bytes: &[u8], kind: DataType) -> f64 {
    match (kind, bytes) {
        (DataType::I8, [a]) => f64::from(i8::from_le_bytes([*a])),
        (DataType::U8, [a]) => f64::from(*a),
        (DataType::I16, [a, b]) => f64::from(i16::from_le_bytes([*a, *b])),
        (DataType::U16, [a, b]) => f64::from(u16::from_le_bytes([*a, *b])),
        (DataType::U32, [a, b, c, d]) => f64::from(u32::from_le_bytes([*a, *b, *c, *d])),
        (DataType::F32, [a, b, c, d]) => f64::from(f32::from_le_bytes([*a, *b, *c, *d])),
        // Chunks are as long as their kind.
        _ => 0.0,
    }
}
