//! A file that the reader has chosen or dropped, or a script has passed. It is read in parts, and of a large file only
//! the parts that the table needs are read; its content does not leave the page.

use super::controller::FigureController;
use super::with_figures;
use crate::figure::{FileState, OpenedFile};
use crate::figures::accepts_files;
use crate::session::Effects;
use js_sys::{Function, Promise, Reflect, Uint8Array};
use posenc_inspect::TableReader;
use std::cell::RefCell;
use std::ops::Range;
use std::rc::{Rc, Weak};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Element, Event, HtmlInputElement, HtmlSelectElement};

/// The field that selects the example shown without a file.
const EXAMPLE: &str = "example";
/// Maximum number of characters shown of a file's name.
const LONGEST_NAME: usize = 80;

/// A file that a figure shows or is loading.
pub struct OpenFile {
    pub opened: OpenedFile,
    /// The browser's `Blob`, read in slices.
    blob: JsValue,
    reader: TableReader,
    /// A slice is being read.
    awaits: bool,
    /// Another tensor was chosen while a slice was being read, so that slice is discarded.
    stale: bool,
}

/// Whether an open file is closed: an example has been chosen, even the current one, or another view.
pub(super) fn are_closed_by(effects: &Effects) -> bool {
    effects.view_changed || effects.fields_set.contains(&EXAMPLE)
}

impl FigureController {
    /// Opens a file or another `Blob` in place of the current one.
    #[inline(never)]
    pub fn open(&mut self, blob: JsValue) {
        let property = |name: &str| Reflect::get(&blob, &name.into()).unwrap_or_default();
        let name = property("name").as_string().unwrap_or_default();
        let name = if name.is_empty() { "table" } else { &name };
        let size = property("size").as_f64();
        let withheld = || FileState::ReadError("NotReadableError".into());
        let content = size.map_or_else(withheld, |_| FileState::Loading(0.0));
        let file = Rc::new(RefCell::new(OpenFile {
            opened: OpenedFile {
                name: name.chars().take(LONGEST_NAME).collect(),
                content,
                candidates: Vec::new(),
                tensor: None,
            },
            blob,
            reader: TableReader::new(size.unwrap_or_default().max(0.0) as u64, None),
            awaits: false,
            stale: false,
        }));
        self.file = Some(Rc::clone(&file));
        self.show_file();
        spawn_local(read(self.weak_self.clone(), file));
    }

    /// Opens a `Blob` for a script; false if the argument is no `Blob` or the figure does not open files.
    #[inline(never)]
    pub fn open_if_shown(&mut self, blob: JsValue) -> bool {
        let is_blob = Reflect::has(&blob, &"arrayBuffer".into()).unwrap_or_default();
        let takes = is_blob && accepts_files(self.session.view());
        if takes {
            self.open(blob);
        }
        takes
    }

    /// Shows a read error for a dropped file to which the browser gives no access.
    fn withhold(&mut self) {
        self.open(JsValue::UNDEFINED);
    }

    fn show_file(&mut self) {
        self.lifecycle.invalidate();
        with_figures(|figures| figures.request(None));
    }

    fn announce_file(&mut self) {
        if let Some(elements) = &mut self.elements {
            elements.announce();
        }
        self.show_file();
    }

    /// Handles events of the file's controls; true if the event was on one of them.
    pub(super) fn file_input(&mut self, element: &Element, finished: bool) -> bool {
        match element.get_attribute("data-file").as_deref() {
            Some("choose") => {
                let files = Reflect::get(element, &"files".into());
                let file = files.and_then(|files| Reflect::get_u32(&files, 0));
                if let Ok(file) = file
                    && finished
                    && file.is_object()
                {
                    self.open(file);
                    // Cleared so that the same file can be chosen again after it has been edited.
                    if let Some(input) = element.dyn_ref::<HtmlInputElement>() {
                        input.set_value("");
                    }
                }
                true
            }
            Some("tensor") => {
                if let Some(list) = element.dyn_ref::<HtmlSelectElement>()
                    && finished
                    && !list.value().is_empty()
                {
                    self.choose_tensor(&list.value());
                }
                true
            }
            _ => false,
        }
    }

    fn choose_tensor(&mut self, name: &str) {
        let Some(file) = self.file.clone() else {
            return;
        };
        let awaits = {
            let mut open = file.borrow_mut();
            let chosen = open.reader.choose(name);
            open.opened.tensor = open.reader.tensor().map(String::from);
            open.opened.content = match chosen {
                Ok(()) => FileState::Loading(0.0),
                Err(fault) => FileState::Invalid(fault),
            };
            open.stale = open.awaits;
            open.awaits
        };
        self.show_file();
        if !awaits {
            spawn_local(read(self.weak_self.clone(), file));
        }
    }

    /// Closes the file.
    pub(super) fn forget_file(&mut self) {
        if self.file.take().is_some() {
            self.announce_file();
        }
    }

    /// Handles dragging a file over the figure, away from it, and dropping it.
    pub(super) fn drag_file(&mut self, event: &Event) {
        let transfer = Reflect::get(event, &"dataTransfer".into()).unwrap_or_default();
        let types = Reflect::get(&transfer, &"types".into()).unwrap_or_default();
        let has_files = js_sys::Array::from(&types).includes(&"Files".into(), 0);
        if !has_files {
            return;
        }
        event.prevent_default();
        let over = event.type_() == "dragover";
        if let Some(elements) = &self.elements {
            elements.set_dropping(over);
        }
        if event.type_() == "drop" {
            let files = Reflect::get(&transfer, &"files".into());
            let file = files.and_then(|files| Reflect::get_u32(&files, 0));
            match file {
                Ok(file) if file.is_object() => self.open(file),
                _ => self.withhold(),
            }
        }
    }
}

/// Reads the parts of the file that the table needs, until the figure shows something else.
#[inline(never)]
async fn read(weak: Weak<RefCell<FigureController>>, file: Rc<RefCell<OpenFile>>) {
    while let Some(wanted) = next(&file) {
        let part = part(&file, wanted).await;
        file.borrow_mut().awaits = false;
        if std::mem::take(&mut file.borrow_mut().stale) {
            continue;
        }
        let Some(controller) = weak.upgrade() else {
            return;
        };
        let Ok(mut controller) = controller.try_borrow_mut() else {
            return;
        };
        let shown = controller.file.as_ref();
        if !shown.is_some_and(|shown| Rc::ptr_eq(shown, &file)) {
            return;
        }
        take(&file, part);
        controller.announce_file();
    }
}

/// The range of bytes to read next; `None` if nothing more is needed.
fn next(file: &RefCell<OpenFile>) -> Option<Range<u64>> {
    let mut file = file.borrow_mut();
    let wanted = match file.opened.content {
        FileState::Loading(_) => file.reader.next_range(),
        _ => None,
    };
    file.awaits = wanted.is_some();
    wanted
}

/// Reads a part of the file; returns the browser's error if that fails.
async fn part(file: &RefCell<OpenFile>, wanted: Range<u64>) -> Result<Vec<u8>, JsValue> {
    let promise = {
        let blob = &file.borrow().blob;
        let slice: Function = Reflect::get(blob, &"slice".into())?.dyn_into()?;
        let part = slice.call2(
            blob,
            &(wanted.start as f64).into(),
            &(wanted.end as f64).into(),
        )?;
        let buffer: Function = Reflect::get(&part, &"arrayBuffer".into())?.dyn_into()?;
        buffer.call0(&part)?.dyn_into::<Promise>()?
    };
    let buffer = JsFuture::from(promise).await?;
    Ok(Uint8Array::new(&buffer).to_vec())
}

fn take(file: &RefCell<OpenFile>, part: Result<Vec<u8>, JsValue>) {
    let file = &mut *file.borrow_mut();
    let taken = match part {
        Ok(part) => file.reader.feed(&part),
        Err(error) => {
            let name = Reflect::get(&error, &"name".into()).ok();
            let name = name.and_then(|name| name.as_string());
            file.opened.content = FileState::ReadError(name.unwrap_or("NotReadableError".into()));
            return;
        }
    };
    file.opened.candidates = file.reader.candidates();
    file.opened.tensor = file.reader.tensor().map(String::from);
    file.opened.content = match taken {
        Err(fault) => FileState::Invalid(fault),
        Ok(()) if file.reader.needs_choice() => FileState::Choice,
        Ok(()) => match file.reader.take_table() {
            Some(table) => FileState::Table(Rc::new(table)),
            None => FileState::Loading(file.reader.progress()),
        },
    };
}
