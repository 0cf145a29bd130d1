//! The texts that are open, and the folders of scripts that they belong to. An open text stands for its file, whatever
//! the disk says.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use lsp_types::{Location, Uri};
use project::Sandbox;
use wander::index::Index;
use wander::span::Span;
use wander::{Environment, Kind};

use crate::text::{Encoding, Text};
use crate::uri;

/// Texts whose names are kept at most; past that all are forgotten and read again.
const MOST_KEPT: usize = 1_000;

/// What scripts may use and what kind of file each is, known above this crate's floor.
#[derive(Debug)]
pub struct Language {
    /// What the host offers to scripts.
    pub environment: Environment,
    /// What kind a script of a project is, by its path.
    pub kind_of: fn(&str) -> Kind,
}

/// An open text.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) uri: Uri,
    pub(crate) version: i32,
    pub(crate) text: Rc<Text>,
    pub(crate) place: Place,
}

/// The folder of a text and its path in there.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    /// The game's folder, or what stands for one. Nothing where the text is no file.
    pub(crate) root: Option<PathBuf>,
    /// Whether the folder holds a `game.json`.
    pub(crate) is_project: bool,
    /// With `/` between names.
    pub(crate) path: String,
}

/// A script with its names.
#[derive(Debug, Clone)]
pub(crate) struct Script {
    pub(crate) path: String,
    pub(crate) text: Rc<Text>,
    pub(crate) index: Rc<Index>,
}

impl Script {
    pub(crate) fn source(&self) -> &str {
        self.text.as_str()
    }
}

/// Everything that is open.
#[derive(Debug)]
pub(crate) struct Workspace {
    pub(crate) language: Language,
    pub(crate) encoding: Encoding,
    pub(crate) documents: BTreeMap<String, Document>,
    kept: RefCell<BTreeMap<Place, Script>>,
}

impl Workspace {
    pub(crate) fn new(language: Language) -> Self {
        Self { language, encoding: Encoding::default(), documents: BTreeMap::new(), kept: RefCell::default() }
    }

    pub(crate) fn open(&mut self, uri: Uri, version: i32, text: String) {
        let place = place_of(&uri);
        let text = Rc::new(Text::new(text));
        self.documents.insert(uri.as_str().to_owned(), Document { uri, version, text, place });
    }

    pub(crate) fn document(&self, uri: &Uri) -> Option<&Document> {
        self.documents.get(uri.as_str())
    }

    /// The folder of a text.
    pub(crate) fn folder(&self, place: &Place) -> Folder<'_> {
        let sandbox = place.root.as_deref().and_then(|root| Sandbox::open(root).ok());
        Folder { workspace: self, root: place.root.clone(), is_project: place.is_project, sandbox }
    }

    /// The folder, and the script of an open text, or of a file that is not open.
    pub(crate) fn script(&self, uri: &Uri) -> Option<(Folder<'_>, Script)> {
        let place = self.document(uri).map_or_else(|| place_of(uri), |document| document.place.clone());
        let folder = self.folder(&place);
        let script = folder.script(&place.path)?;
        Some((folder, script))
    }

    fn open_at(&self, root: Option<&Path>, path: &str) -> Option<&Document> {
        self.documents
            .values()
            .find(|document| document.place.path == path && document.place.root.as_deref() == root)
    }

    fn indexed(&self, place: Place, text: Rc<Text>) -> Script {
        let mut kept = self.kept.borrow_mut();
        if let Some(script) = kept.get(&place).filter(|script| script.text == text) {
            return script.clone();
        }
        if kept.len() >= MOST_KEPT {
            kept.clear();
        }
        let index = Rc::new(Index::new(text.as_str()));
        let script = Script { path: place.path.clone(), text, index };
        kept.insert(place, script.clone());
        script
    }
}

/// A folder of scripts: a game, or what stands for one around a file that belongs to none.
#[derive(Debug)]
pub(crate) struct Folder<'a> {
    pub(crate) workspace: &'a Workspace,
    root: Option<PathBuf>,
    is_project: bool,
    sandbox: Option<Sandbox>,
}

impl Folder<'_> {
    pub(crate) fn environment(&self) -> &Environment {
        &self.workspace.language.environment
    }

    /// A file's text, as it is being written.
    pub(crate) fn read(&self, path: &str) -> Option<Rc<Text>> {
        if let Some(document) = self.workspace.open_at(self.root.as_deref(), path) {
            return Some(document.text.clone());
        }
        let text = self.sandbox.as_ref()?.read_text(path).ok()?;
        Some(Rc::new(Text::new(text)))
    }

    /// Path and text of a script or of a module's name.
    pub(crate) fn find(&self, name: &str) -> Option<(String, Rc<Text>)> {
        let path = self.find_path(name)?;
        let text = self.read(&path)?;
        Some((path, text))
    }

    /// The path of a script or of a module's name.
    pub(crate) fn find_path(&self, name: &str) -> Option<String> {
        project::script_paths(name).find(|path| {
            self.workspace.open_at(self.root.as_deref(), path).is_some()
                || self.sandbox.as_ref().is_some_and(|sandbox| sandbox.is_file(path))
        })
    }

    /// A script with its names.
    pub(crate) fn script(&self, path: &str) -> Option<Script> {
        let text = self.read(path)?;
        let place = Place { root: self.root.clone(), is_project: self.is_project, path: path.to_owned() };
        Some(self.workspace.indexed(place, text))
    }

    /// Paths of the scripts, in order. Around a file that belongs to no game only what is open counts, and what that
    /// uses: the folder may hold anything.
    pub(crate) fn paths(&self) -> Vec<String> {
        let mut paths = Vec::new();
        if let Some(sandbox) = self.sandbox.as_ref().filter(|_| self.is_project) {
            paths.extend(sandbox.list("scripts").into_iter().filter(|path| path.ends_with(".wander")));
        }
        let open = self.workspace.documents.values().map(|document| &document.place);
        let open = open.filter(|place| place.root == self.root).map(|place| place.path.clone());
        paths.extend(open);
        if !self.is_project {
            let uses: Vec<String> = paths
                .iter()
                .filter_map(|path| self.script(path))
                .flat_map(|script| self.modules_of(&script))
                .collect();
            paths.extend(uses);
        }
        paths.sort();
        paths.dedup();
        paths
    }

    fn modules_of(&self, script: &Script) -> Vec<String> {
        let used = script.index.definitions.iter().filter_map(|known| known.path.as_ref());
        used.filter_map(|(name, _)| self.find_path(name)).collect()
    }

    /// All scripts with their names.
    pub(crate) fn scripts(&self) -> Vec<Script> {
        self.paths().iter().filter_map(|path| self.script(path)).collect()
    }

    /// The game's scenes, for what they say about scripts.
    pub(crate) fn scenes(&self) -> Vec<(String, Rc<Text>)> {
        let Some(sandbox) = self.sandbox.as_ref().filter(|_| self.is_project) else { return Vec::new() };
        let paths = sandbox.list("scenes").into_iter().filter(|path| path.ends_with(".scene.json"));
        paths.filter_map(|path| self.read(&path).map(|text| (path, text))).collect()
    }

    /// What kind of program a script is. Where no game says so, its text does: what handles events or speaks of itself
    /// belongs to an entity.
    pub(crate) fn kind(&self, script: &Script) -> Kind {
        if self.is_project {
            return (self.workspace.language.kind_of)(&script.path);
        }
        use wander::index::DefinitionKind::{Handler, Prop};
        let declares = |known: &wander::index::Definition| matches!(known.kind, Handler | Prop);
        let is_entity = script.index.uses_self || script.index.definitions.iter().any(declares);
        if is_entity { Kind::Entity } else { Kind::Module }
    }

    /// The address of a file, as the editor writes it where it is open.
    pub(crate) fn uri(&self, path: &str) -> Option<Uri> {
        if let Some(document) = self.workspace.open_at(self.root.as_deref(), path) {
            return Some(document.uri.clone());
        }
        uri::from_path(&self.root.as_ref()?.join(path))
    }

    /// A place in a script, as the editor wants it.
    pub(crate) fn location(&self, script: &Script, span: Span) -> Option<Location> {
        let range = script.text.range(span, self.workspace.encoding);
        Some(Location { uri: self.uri(&script.path)?, range })
    }
}

/// The game that a file belongs to: the nearest folder above it with a `game.json`. Without one, a folder that holds
/// a `scripts` folder around the file stands for it, else the file's own, or the one above a `lib`.
fn place_of(uri: &Uri) -> Place {
    let Some(file) = uri::to_path(uri) else {
        let path = uri.as_str().rsplit(['/', ':']).next().unwrap_or_default();
        let path = if path.ends_with(".wander") { path.to_owned() } else { format!("{path}.wander") };
        return Place { root: None, is_project: false, path };
    };
    let game = file.ancestors().skip(1).find(|folder| folder.join("game.json").is_file());
    let is_named = |folder: &&Path, name: &str| folder.file_name().is_some_and(|own| own == name);
    let root = game
        .or_else(|| {
            file.ancestors().skip(1).find(|folder| is_named(folder, "scripts")).and_then(Path::parent)
        })
        .or_else(|| file.ancestors().skip(1).find(|folder| is_named(folder, "lib")).and_then(Path::parent))
        .or_else(|| file.parent());
    let inner = root.and_then(|root| file.strip_prefix(root).ok()).unwrap_or(&file);
    let names: Vec<String> = inner.iter().map(|name| name.to_string_lossy().into_owned()).collect();
    Place { root: root.map(Path::to_path_buf), is_project: game.is_some(), path: names.join("/") }
}
