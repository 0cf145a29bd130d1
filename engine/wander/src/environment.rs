//! What the host offers to scripts: properties and methods of entities, free functions and areas, handlers. The
//! compiler resolves names against it; the machine calls back by number.

/// Where a program may run, which decides what it may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Attached to an entity, one instance each.
    Entity,
    /// Used by other scripts, loaded once.
    Module,
    /// An agent's tool: `fn run(args)`.
    Tool,
    /// One expression.
    Expression,
    /// The expressions of a text with `{{expr}}` in it. They only look.
    Template,
}

impl Kind {
    /// Whether there is something to run before its functions: a file, with its variables.
    pub(crate) const fn has_start(self) -> bool {
        !matches!(self, Self::Expression | Self::Template)
    }
}

/// What calling a host function does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Acts {
    /// It only looks.
    Reads,
    /// It changes the world.
    Changes,
    /// It may answer in a later tick.
    Waits,
}

/// A function of the host.
#[derive(Debug, Clone, Copy)]
pub struct HostFunction {
    /// The area it lives in, such as `input`; empty for free functions and methods of entities.
    pub area: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Fewest and most arguments, the entity of a method not counted.
    pub arity: (u8, u8),
    /// What it does.
    pub acts: Acts,
    /// Read without parentheses, like `time.dt`.
    pub property: bool,
    /// One line for whoever writes scripts.
    pub doc: &'static str,
}

/// A property of entities.
#[derive(Debug, Clone, Copy)]
pub struct HostProperty {
    /// Its name.
    pub name: &'static str,
    /// Whether scripts may set it.
    pub writable: bool,
    /// One line for whoever writes scripts.
    pub doc: &'static str,
}

/// An event that the host calls handlers for.
#[derive(Debug, Clone, Copy)]
pub struct HostHandler {
    /// Its name.
    pub name: &'static str,
    /// Its parameters.
    pub params: &'static [&'static str],
    /// One line for whoever writes scripts.
    pub doc: &'static str,
}

/// Everything that a host offers. The position of an entry is its number.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    /// Free functions and functions of areas.
    pub functions: Vec<HostFunction>,
    /// Methods of entities; their numbers follow those of `functions`.
    pub methods: Vec<HostFunction>,
    /// Properties of entities.
    pub properties: Vec<HostProperty>,
    /// Handlers.
    pub handlers: Vec<HostHandler>,
}

impl Environment {
    /// The number of a function of an area (empty: a free one).
    pub fn function(&self, area: &str, name: &str) -> Option<(u16, &HostFunction)> {
        let position =
            self.functions.iter().position(|function| function.area == area && function.name == name)?;
        Some((position as u16, self.functions.get(position)?))
    }

    /// The number of a method of entities.
    pub fn method(&self, name: &str) -> Option<(u16, &HostFunction)> {
        let position = self.methods.iter().position(|method| method.name == name)?;
        Some(((self.functions.len() + position) as u16, self.methods.get(position)?))
    }

    /// The function or method of this number.
    pub fn by_number(&self, number: u16) -> Option<&HostFunction> {
        let number = usize::from(number);
        self.functions.get(number).or_else(|| self.methods.get(number.checked_sub(self.functions.len())?))
    }

    /// The number of a property of entities.
    pub fn property(&self, name: &str) -> Option<(u16, &HostProperty)> {
        let position = self.properties.iter().position(|property| property.name == name)?;
        Some((position as u16, self.properties.get(position)?))
    }

    /// Whether some function lives in this area.
    pub fn has_area(&self, area: &str) -> bool {
        !area.is_empty() && self.functions.iter().any(|function| function.area == area)
    }

    /// The names of an area, for suggestions.
    pub fn area_names<'a>(&'a self, area: &'a str) -> impl Iterator<Item = &'a str> {
        self.functions.iter().filter(move |function| function.area == area).map(|function| function.name)
    }
}
