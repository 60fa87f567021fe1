// Starts the first half of the core from a file compressed with xz, which is decompressed and compiled while it is
// downloaded.
import init from "./posenc.js";
import { decompression } from "./xz.mjs";

async function decompressed() {
  const [response, content] = await Promise.all([fetch(new URL("posenc.wasm.xz", import.meta.url)), decompression()]);
  if (!response.ok) throw new Error(`core/posenc.wasm.xz: ${response.status}`);
  return new Response(response.body.pipeThrough(content), { headers: { "content-type": "application/wasm" } });
}

/** Falls back to the uncompressed file if the compressed one does not load: some servers refuse unknown file types. */
export const startCore = () => init({ module_or_path: decompressed() }).catch(() => init());
