//! The arena in which everything that a value cannot hold itself lies. Slots are named by index, so a clone of the
//! heap is a snapshot, and bytes are counted exactly.

mod collect;
mod record;
mod shape;
mod text;

use base::EntityId;

pub(crate) use record::{EMPTY_SHAPE, MOST_SHAPED};
pub use record::{Key, Record};
pub use shape::{Shape, Shapes, Symbol};

use crate::value::{Handle, Value};

/// A range's parts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// First value.
    pub start: f64,
    /// Where it ends.
    pub end: f64,
    /// From one value to the next; never 0.
    pub step: f64,
    /// Whether the end belongs to it.
    pub inclusive: bool,
}

impl Range {
    /// How many values it has.
    pub fn count(&self) -> usize {
        let span = (self.end - self.start) / self.step;
        if !span.is_finite() || span < 0.0 {
            return 0;
        }
        let whole = libm::floor(span);
        let on_end = whole == span;
        (whole + if self.inclusive || !on_end { 1.0 } else { 0.0 }) as usize
    }

    /// Whether a number lies in it (between its ends, whatever the step).
    pub fn contains(&self, number: f64) -> bool {
        let (low, high) = if self.step > 0.0 { (self.start, self.end) } else { (self.end, self.start) };
        number >= low && (number < high || self.inclusive && number <= high)
    }
}

/// A function value: code of a loaded program and what it captured.
#[derive(Debug, Clone)]
pub struct Closure {
    /// Which loaded program.
    pub(crate) program: u32,
    /// Which function of it.
    pub(crate) function: u32,
    /// Whose variables it sees.
    pub(crate) instance: u32,
    /// Captured variables.
    pub(crate) captures: Vec<Value>,
}

/// What lies in a slot.
#[derive(Debug, Clone)]
pub(crate) enum Object {
    Free(u32),
    Text(Text),
    List(Vec<Value>),
    Record(Record),
    Closure(Closure),
    Range(Range),
    Color([f32; 4]),
    Vec4([f32; 4]),
    Cell(Value),
}

/// A string with its length in characters.
#[derive(Debug, Clone)]
pub(crate) struct Text {
    pub(crate) text: Box<str>,
    /// Characters; equal to the bytes where all are ASCII.
    pub(crate) length: u32,
}

/// What a place in the code that reads or sets a field found last: records of this shape have it in this slot.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Site {
    pub(crate) shape: u32,
    pub(crate) slot: u32,
}

impl Default for Site {
    fn default() -> Self {
        Self { shape: u32::MAX, slot: 0 }
    }
}

/// The arena.
#[derive(Debug, Clone)]
pub struct Heap {
    slots: Vec<Object>,
    free: u32,
    /// Slots below this are constants of loaded programs and never collected.
    permanent: Vec<bool>,
    /// Bytes of what lies in the slots, and of what others said that they hold.
    bytes: usize,
    collect_at: usize,
    /// Bytes that were in use after the last collection.
    live: usize,
    /// Bytes beyond the limit that whoever runs may use, where others hold what there is.
    pub(crate) extra: usize,
    /// Whether a collection runs at every opportunity; only tests ask for that.
    collects_always: bool,
    /// Most bytes, after which allocation fails.
    pub(crate) limit: usize,
    /// Shapes of records and interned names.
    pub shapes: Shapes,
}

/// The end of the list of free slots.
const NONE: u32 = u32::MAX;

/// Bytes of a slot itself.
const SLOT: usize = size_of::<Object>();

/// Bytes after which the first collection runs.
const FIRST_COLLECTION: usize = 1 << 20;

/// Near the limit there is a part of it between two collections, so that they cannot take all the time.
const PART_BETWEEN_COLLECTIONS: usize = 16;

impl Default for Heap {
    fn default() -> Self {
        Self {
            slots: Vec::new(),
            free: NONE,
            permanent: Vec::new(),
            bytes: 0,
            collect_at: FIRST_COLLECTION,
            live: 0,
            extra: 0,
            collects_always: false,
            limit: 64 << 20,
            shapes: Shapes::default(),
        }
    }
}

impl Heap {
    /// Bytes in use, counted exactly.
    #[inline]
    pub fn bytes(&self) -> usize {
        self.bytes + self.shapes.bytes()
    }

    /// Whether more is in use than allowed.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.bytes() > self.limit + self.extra
    }

    /// Collects at every opportunity from now on, so that what lives by chance is found. For tests.
    #[doc(hidden)]
    pub fn collect_always(&mut self) {
        self.collects_always = true;
        self.collect_at = 0;
    }

    /// Whether so many bytes more would still be allowed.
    pub(crate) fn has_room(&self, bytes: usize) -> bool {
        self.bytes().saturating_add(bytes) <= self.limit + self.extra
    }

    #[inline]
    pub(crate) fn wants_collection(&self) -> bool {
        self.bytes() > self.collect_at
    }

    /// Whether a collection could free enough to be worth its time, for somebody who needs so many bytes. Where what is
    /// in use stays in use, collecting for each small thing would take all the time that there is.
    pub(crate) fn is_worth_collecting(&self, bytes: usize) -> bool {
        let least = self.limit / PART_BETWEEN_COLLECTIONS;
        self.wants_collection() || bytes >= least || self.bytes().saturating_sub(self.live) >= least
    }

    /// Bytes that a thing takes, its slot included.
    pub(crate) fn size_of(&self, value: Value) -> usize {
        let object = value.handle().and_then(|handle| self.object(handle));
        object.map_or(0, |object| SLOT + size_of_object(object))
    }

    /// Lets the next one who looks collect, because something large was let go.
    pub(crate) fn collect_soon(&mut self) {
        self.collect_at = 0;
    }

    /// Counts bytes that scripts make others hold: stacks of tasks that sleep, events on their way.
    pub(crate) fn count(&mut self, bytes: usize) {
        self.bytes += bytes;
    }

    /// Takes back what [`Self::count`] counted.
    pub(crate) fn uncount(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_sub(bytes);
    }

    fn add(&mut self, object: Object) -> Handle {
        self.bytes += SLOT + size_of_object(&object);
        if let Some(slot) = self.slots.get_mut(self.free as usize) {
            let index = self.free;
            if let Object::Free(next) = slot {
                self.free = *next;
            }
            *slot = object;
            return Handle(index);
        }
        self.slots.push(object);
        self.permanent.push(false);
        Handle(self.slots.len() as u32 - 1)
    }

    pub(crate) fn make_permanent(&mut self, value: Value) {
        if let Some(flag) = value.handle().and_then(|handle| self.permanent.get_mut(handle.0 as usize)) {
            *flag = true;
        }
    }

    pub(crate) fn objects(&self) -> impl Iterator<Item = &Object> {
        self.slots.iter()
    }

    pub(crate) fn object(&self, handle: Handle) -> Option<&Object> {
        self.slots.get(handle.0 as usize)
    }

    /// Makes text.
    pub fn text(&mut self, text: &str) -> Value {
        let length = text.chars().count() as u32;
        Value::Text(self.add(Object::Text(Text { text: text.into(), length })))
    }

    /// Makes text of one that is at hand.
    pub(crate) fn own_text(&mut self, text: String) -> Value {
        let length = text.chars().count() as u32;
        Value::Text(self.add(Object::Text(Text { text: text.into_boxed_str(), length })))
    }

    /// Makes a list.
    pub fn list(&mut self, items: Vec<Value>) -> Value {
        Value::List(self.add(Object::List(items)))
    }

    /// Makes a record of named values, in order.
    pub fn record<'a>(&mut self, fields: impl IntoIterator<Item = (&'a str, Value)>) -> Value {
        let mut record = Record::default();
        for (name, value) in fields {
            let symbol = self.shapes.symbol(name);
            record.set(Key::Symbol(symbol), value, &mut self.shapes);
        }
        self.add_record(record)
    }

    pub(crate) fn add_record(&mut self, record: Record) -> Value {
        Value::Record(self.add(Object::Record(record)))
    }

    pub(crate) fn closure(&mut self, closure: Closure) -> Value {
        Value::Function(self.add(Object::Closure(closure)))
    }

    /// Makes a range.
    pub fn range(&mut self, range: Range) -> Value {
        Value::Range(self.add(Object::Range(range)))
    }

    /// Makes a colour, red, green, blue and alpha from 0 to 1.
    pub fn color(&mut self, color: [f32; 4]) -> Value {
        Value::Color(self.add(Object::Color(color)))
    }

    /// Makes a vector of 2 to 4 components; of another count it is nil.
    pub fn vector(&mut self, parts: &[f32]) -> Value {
        match *parts {
            [x, y] => Value::Vec2([x, y]),
            [x, y, z] => Value::Vec3([x, y, z]),
            [x, y, z, w] => Value::Vec4(self.add(Object::Vec4([x, y, z, w]))),
            _ => Value::Nil,
        }
    }

    /// Whether a value is, or has among its parts, what is no number. Lists and records are not looked into.
    pub(crate) fn is_nan(&self, value: Value) -> bool {
        let parts = match value {
            Value::Vec4(_) => self.get_vector(value).map(|(parts, _)| parts),
            Value::Color(_) => self.get_color(value),
            _ => return value.is_nan(),
        };
        parts.is_some_and(|parts| parts.iter().any(|part| part.is_nan()))
    }

    pub(crate) fn cell(&mut self, value: Value) -> Value {
        Value::Cell(self.add(Object::Cell(value)))
    }

    /// The text of a string.
    pub fn get_text(&self, value: Value) -> Option<&str> {
        match (value, self.object(value.handle()?)?) {
            (Value::Text(_), Object::Text(text)) => Some(&text.text),
            _ => None,
        }
    }

    pub(crate) fn text_length(&self, value: Value) -> usize {
        match value.handle().and_then(|handle| self.object(handle)) {
            Some(Object::Text(text)) => text.length as usize,
            _ => 0,
        }
    }

    /// The elements of a list.
    pub fn get_list(&self, value: Value) -> Option<&[Value]> {
        match (value, self.object(value.handle()?)?) {
            (Value::List(_), Object::List(items)) => Some(items),
            _ => None,
        }
    }

    /// Changes a list; its bytes are counted again afterwards.
    pub(crate) fn change_list<R>(
        &mut self,
        value: Value,
        change: impl FnOnce(&mut Vec<Value>) -> R,
    ) -> Option<R> {
        let Value::List(handle) = value else { return None };
        let Some(Object::List(items)) = self.slots.get_mut(handle.0 as usize) else { return None };
        let before = items.capacity();
        let result = change(items);
        let after = items.capacity();
        self.bytes = (self.bytes + after * size_of::<Value>()).saturating_sub(before * size_of::<Value>());
        Some(result)
    }

    /// Bytes that a list takes more where it gets so many elements.
    pub(crate) fn growth(&self, list: Value, count: usize) -> usize {
        match list.handle().and_then(|handle| self.object(handle)) {
            // A vector that is full doubles.
            Some(Object::List(items)) if items.len() + count > items.capacity() => {
                items.capacity().max(count) * size_of::<Value>()
            }
            _ => 0,
        }
    }

    /// Adds a value at the end of a list; false where it is none.
    #[inline]
    pub(crate) fn push(&mut self, list: &Value, value: Value) -> bool {
        let &Value::List(handle) = list else { return false };
        let Some(Object::List(items)) = self.slots.get_mut(handle.0 as usize) else { return false };
        if items.len() == items.capacity() {
            let before = items.capacity();
            items.reserve(1);
            self.bytes += (items.capacity() - before) * size_of::<Value>();
        }
        items.push(value);
        true
    }

    /// The same where it needs no more memory; false where it does.
    #[inline(always)]
    pub(crate) fn push_within(&mut self, list: &Value, value: Value) -> bool {
        let &Value::List(handle) = list else { return false };
        match self.slots.get_mut(handle.0 as usize) {
            Some(Object::List(items)) if items.len() < items.capacity() => {
                items.push(value);
                true
            }
            _ => false,
        }
    }

    /// Equality of what is compared at once, whatever it holds; none for texts, lists and records in two places.
    pub(crate) fn equal_at_once(&self, a: Value, b: Value) -> Option<bool> {
        Some(match (a, b) {
            (Value::Nil, Value::Nil) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Number(a), Value::Number(b)) => a == b,
            (Value::Entity(a), Value::Entity(b)) => a == b,
            (Value::Task(a), Value::Task(b)) => a == b,
            (Value::Stream(a), Value::Stream(b)) => a == b,
            (Value::Vec2(a), Value::Vec2(b)) => a == b,
            (Value::Vec3(a), Value::Vec3(b)) => a == b,
            (Value::Vec4(_), Value::Vec4(_)) => self.get_vector(a) == self.get_vector(b),
            (Value::Color(_), Value::Color(_)) => self.get_color(a) == self.get_color(b),
            (Value::Range(_), Value::Range(_)) => self.get_range(a) == self.get_range(b),
            (Value::Function(a), Value::Function(b)) => a == b,
            (Value::Text(x), Value::Text(y))
            | (Value::List(x), Value::List(y))
            | (Value::Record(x), Value::Record(y)) => {
                return (x == y).then_some(true);
            }
            _ => false,
        })
    }

    /// An element of a list; none where the index is no place in it, which the slow way explains.
    #[inline]
    pub(crate) fn item(&self, list: Handle, index: f64) -> Option<&Value> {
        let at = index as u32;
        match self.slots.get(list.0 as usize) {
            Some(Object::List(items)) if f64::from(at) == index => items.get(at as usize),
            _ => None,
        }
    }

    /// The same, to be changed.
    #[inline]
    pub(crate) fn item_mut(&mut self, list: Handle, index: f64) -> Option<&mut Value> {
        let at = index as u32;
        match self.slots.get_mut(list.0 as usize) {
            Some(Object::List(items)) if f64::from(at) == index => items.get_mut(at as usize),
            _ => None,
        }
    }

    /// The field that a site found last, where the record has the shape that it had then.
    #[inline]
    pub(crate) fn field_at(&self, record: Handle, site: &Site) -> Option<&Value> {
        match self.slots.get(record.0 as usize) {
            Some(Object::Record(record)) if record.shape == site.shape => {
                record.values.get(site.slot as usize)
            }
            _ => None,
        }
    }

    /// The same, to be changed.
    #[inline]
    pub(crate) fn field_at_mut(&mut self, record: Handle, site: &Site) -> Option<&mut Value> {
        match self.slots.get_mut(record.0 as usize) {
            Some(Object::Record(record)) if record.shape == site.shape => {
                record.values.get_mut(site.slot as usize)
            }
            _ => None,
        }
    }

    /// What a site is to remember about a record and a name; none where the record is no shaped one with the name.
    pub(crate) fn site_of(&self, value: Value, symbol: Symbol) -> Option<Site> {
        let record = self.get_record(value)?;
        let slot = self.shapes.slot(record.shape, symbol)?;
        Some(Site { shape: record.shape, slot: slot as u32 })
    }

    /// A captured variable's value.
    #[inline]
    pub(crate) fn captured(&self, closure: Option<Handle>, index: usize) -> &Value {
        if let Some(handle) = closure
            && let Some(Object::Closure(closure)) = self.slots.get(handle.0 as usize)
            && let Some(cell) = closure.captures.get(index)
        {
            return self.cell_at(cell);
        }
        &Value::Nil
    }

    /// Sets a captured variable.
    pub(crate) fn set_captured(&mut self, closure: Option<Handle>, index: usize, value: Value) {
        if let Some(handle) = closure
            && let Some(Object::Closure(closure)) = self.slots.get(handle.0 as usize)
            && let Some(cell) = closure.captures.get(index).copied()
        {
            self.set_cell(&cell, value);
        }
    }

    /// Function and instance of a closure of this program.
    #[inline]
    pub(crate) fn callee(&self, handle: Handle, program: u32) -> Option<(u32, u32)> {
        match self.slots.get(handle.0 as usize) {
            Some(Object::Closure(closure)) if closure.program == program => {
                Some((closure.function, closure.instance))
            }
            _ => None,
        }
    }

    pub(crate) fn get_record(&self, value: Value) -> Option<&Record> {
        match (value, self.object(value.handle()?)?) {
            (Value::Record(_), Object::Record(record)) => Some(record),
            _ => None,
        }
    }

    /// The named fields of a record in order; number and entity keys as text.
    pub fn record_entries(&self, value: Value) -> Option<Vec<(String, Value)>> {
        let record = self.get_record(value)?;
        Some(
            record
                .entries(&self.shapes)
                .into_iter()
                .map(|(key, value)| (key.text(&self.shapes), value))
                .collect(),
        )
    }

    /// A field of a record by name; nil where it is not there.
    pub fn record_get(&self, value: Value, name: &str) -> Value {
        match (self.get_record(value), self.shapes.find_symbol(name)) {
            (Some(record), Some(symbol)) => record.get(Key::Symbol(symbol), &self.shapes),
            _ => Value::Nil,
        }
    }

    pub(crate) fn record_set(&mut self, value: Value, key: Key, to: Value) {
        let Value::Record(handle) = value else { return };
        let Some(Object::Record(record)) = self.slots.get_mut(handle.0 as usize) else { return };
        let before = record.bytes();
        record.set(key, to, &mut self.shapes);
        self.bytes = (self.bytes + record.bytes()).saturating_sub(before);
    }

    /// Sets what lies at a place of a list, or of a record whatever its key.
    pub(crate) fn set_inside(&mut self, thing: Value, index: usize, to: Value) {
        let slot = thing.handle().and_then(|handle| self.slots.get_mut(handle.0 as usize));
        let place = match slot {
            Some(Object::List(items)) => items.get_mut(index),
            Some(Object::Record(record)) => record.place_mut(index),
            _ => None,
        };
        if let Some(place) = place {
            *place = to;
        }
    }

    pub(crate) fn get_closure(&self, value: Value) -> Option<&Closure> {
        match (value, self.object(value.handle()?)?) {
            (Value::Function(_), Object::Closure(closure)) => Some(closure),
            _ => None,
        }
    }

    /// The parts of a range.
    pub fn get_range(&self, value: Value) -> Option<Range> {
        match (value, self.object(value.handle()?)?) {
            (Value::Range(_), Object::Range(range)) => Some(*range),
            _ => None,
        }
    }

    /// The channels of a colour.
    pub fn get_color(&self, value: Value) -> Option<[f32; 4]> {
        match (value, self.object(value.handle()?)?) {
            (Value::Color(_), Object::Color(color)) => Some(*color),
            _ => None,
        }
    }

    /// The components of a vector and how many there are.
    pub fn get_vector(&self, value: Value) -> Option<([f32; 4], usize)> {
        match value {
            Value::Vec2([x, y]) => Some(([x, y, 0.0, 0.0], 2)),
            Value::Vec3([x, y, z]) => Some(([x, y, z, 0.0], 3)),
            Value::Vec4(handle) => match self.object(handle)? {
                Object::Vec4(parts) => Some((*parts, 4)),
                _ => None,
            },
            _ => None,
        }
    }

    /// What a cell holds.
    #[inline]
    pub(crate) fn cell_at(&self, cell: &Value) -> &Value {
        match cell {
            &Value::Cell(handle) => match self.slots.get(handle.0 as usize) {
                Some(Object::Cell(value)) => value,
                _ => &Value::Nil,
            },
            _ => &Value::Nil,
        }
    }

    #[inline]
    pub(crate) fn set_cell(&mut self, cell: &Value, value: Value) {
        if let Some(Object::Cell(inside)) =
            cell.handle().and_then(|handle| self.slots.get_mut(handle.0 as usize))
        {
            *inside = value;
        }
    }

    /// The key that a value is in a record, made where it is new; none for values that cannot be keys.
    pub(crate) fn key_of(&mut self, value: Value) -> Option<Key> {
        match value {
            Value::Text(handle) => match self.slots.get(handle.0 as usize) {
                Some(Object::Text(text)) => Some(Key::Symbol(self.shapes.symbol(&text.text))),
                _ => None,
            },
            _ => plain_key(value),
        }
    }

    /// The key that a value is in the records that there are. None also for names that no record ever had: looking for
    /// one must not make it known.
    pub(crate) fn find_key(&self, value: Value) -> Option<Key> {
        match value {
            Value::Text(_) => self.shapes.find_symbol(self.get_text(value)?).map(Key::Symbol),
            _ => plain_key(value),
        }
    }

    /// Whether a value can be a key.
    pub(crate) fn is_key(value: Value) -> bool {
        matches!(value, Value::Text(_)) || plain_key(value).is_some()
    }

    pub(crate) fn key_value(&mut self, key: Key) -> Value {
        match key {
            Key::Symbol(symbol) => {
                let name = self.shapes.name(symbol).to_owned();
                self.text(&name)
            }
            Key::Number(bits) => Value::Number(f64::from_bits(bits)),
            Key::Entity(id) => Value::Entity(id),
        }
    }
}

/// The key that a number or an entity is.
fn plain_key(value: Value) -> Option<Key> {
    match value {
        // Zero is one key, whatever its sign.
        Value::Number(number) if number.is_finite() => Some(Key::Number((number + 0.0).to_bits())),
        Value::Entity(id) => Some(Key::Entity(id)),
        _ => None,
    }
}

fn size_of_object(object: &Object) -> usize {
    match object {
        Object::Text(text) => text.text.len(),
        Object::List(items) => items.capacity() * size_of::<Value>(),
        Object::Record(record) => record.bytes(),
        Object::Closure(closure) => closure.captures.len() * size_of::<Value>(),
        _ => 0,
    }
}

/// An entity as a key's text.
fn entity_text(id: EntityId) -> String {
    id.to_string()
}
