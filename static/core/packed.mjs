// Starts the first half of the core from a file packed with xz, which is unpacked and compiled while it arrives.
import { XzReadableStream } from "xz-decompress";
import init from "../core/posenc.js";

async function unpacked() {
  const response = await fetch(new URL("posenc.wasm.xz", import.meta.url));
  if (!response.ok) throw new Error(`core/posenc.wasm.xz: ${response.status}`);
  return new Response(new XzReadableStream(response.body), { headers: { "content-type": "application/wasm" } });
}

/** Where the packed file cannot be had, as from servers that hand out no types of files they do not know, it is the plain one. */
export const startCore = () => init({ module_or_path: unpacked() }).catch(() => init());
