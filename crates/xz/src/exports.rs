//! What the page calls (static/core/xz.mjs): it copies bytes to `place`, calls `decode`, and reads the output.
#![expect(unsafe_code, reason = "memory that the page shares")]

use core::cell::UnsafeCell;

use crate::{Decoder, MOST_LEFT};

/// The most bytes that one call takes.
const MOST: usize = 1 << 16;
/// The largest file, in bytes.
const OUTPUT: usize = 1 << 22;

struct Memory {
    decoder: Decoder,
    /// The number of bytes at the start of `input` that were not consumed.
    left: usize,
    input: [u8; MOST_LEFT + MOST],
    output: [u8; OUTPUT],
}

struct Shared(UnsafeCell<Memory>);

// SAFETY: there is one thread.
unsafe impl Sync for Shared {}

static MEMORY: Shared = Shared(UnsafeCell::new(Memory {
    decoder: Decoder::new(),
    left: 0,
    input: [0; MOST_LEFT + MOST],
    output: [0; OUTPUT],
}));

/// # Safety
/// Nothing else of the memory is borrowed: each of the functions below calls this once, and none of them another.
unsafe fn memory() -> &'static mut Memory {
    // SAFETY: there is one thread, and the caller has the only reference.
    unsafe { &mut *MEMORY.0.get() }
}

/// The address to which the next bytes go.
#[unsafe(no_mangle)]
extern "C" fn place() -> *mut u8 {
    // SAFETY: the only reference in this function.
    let memory = unsafe { memory() };
    memory.input[memory.left..].as_mut_ptr()
}

/// The address of the output.
#[unsafe(no_mangle)]
extern "C" fn output() -> *const u8 {
    // SAFETY: the only reference in this function.
    unsafe { memory() }.output.as_ptr()
}

/// Decompresses `count` more bytes; returns the number of bytes of the output so far, or -1 if the file is damaged.
#[unsafe(no_mangle)]
extern "C" fn decode(count: usize) -> isize {
    let Memory {
        decoder,
        left,
        input,
        output,
        // SAFETY: the only reference in this function.
    } = unsafe { memory() };
    if count > MOST {
        return -1;
    }
    let end = *left + count;
    let Ok(consumed) = decoder.decode(&input[..end], output) else {
        return -1;
    };
    input.copy_within(consumed..end, 0);
    *left = end - consumed;
    decoder.written() as isize
}

/// Whether the content is complete and what was compressed.
#[unsafe(no_mangle)]
extern "C" fn finished() -> bool {
    // SAFETY: the only reference in this function.
    unsafe { memory() }.decoder.is_finished()
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}
