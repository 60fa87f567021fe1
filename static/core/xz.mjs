// Decompresses xz while it is downloaded, with the WebAssembly of crates/xz.
import encoded from "posenc-xz";

/** The most bytes that `decode` takes at once. */
const MOST = 1 << 16;

/** Returns a stream that takes a compressed file and gives its content. */
export async function decompression() {
  const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
  const { instance } = await WebAssembly.instantiate(bytes);
  const { memory, place, decode, output, finished } = instance.exports;
  const damaged = () => new Error("the compressed core is damaged");
  let given = 0;
  return new TransformStream({
    transform(bytes, stream) {
      for (let from = 0; from < bytes.length; from += MOST) {
        const some = bytes.subarray(from, from + MOST);
        new Uint8Array(memory.buffer).set(some, place());
        const written = decode(some.length);
        if (written < 0) throw damaged();
        stream.enqueue(new Uint8Array(memory.buffer).slice(output() + given, output() + written));
        given = written;
      }
    },
    flush() {
      if (!finished()) throw damaged();
    },
  });
}
