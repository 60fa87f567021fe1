// A static server for the built site, for scripts/serve and for the tests: node serve.mjs [port]
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { sleep } from "./wait.mjs";

export const dist = fileURLToPath(new URL("../../dist", import.meta.url));

const types = {
  ".css": "text/css; charset=utf-8",
  ".csv": "text/csv; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

/** What a page loads after its first picture. DELAY_MODULES=ms delays its answers, which come late on a busy computer. */
const LATE_MODULES = /\/(?:kit\/[^/]+\.mjs|recovery\.mjs|(?<!\/core\/)posenc\.js|core\/figures\.\w+)$/;
const { DELAY_MODULES } = process.env;

/** Sends a file as over a slow connection: nothing for `latency` ms, then a piece every 50 ms. */
async function trickle(file, response, { latency, bytesPerSecond }) {
  await sleep(latency);
  for await (const piece of createReadStream(file, { highWaterMark: bytesPerSecond / 20 })) {
    if (response.destroyed) return;
    response.write(piece);
    await sleep(50);
  }
  response.end();
}

/**
 * Serves `folder` on 127.0.0.1 with additional headers, at full speed or with the limits of `throttle`; port 0 picks a free
 * port. Resolves to { url, close }.
 */
export async function serve(port = 0, folder = dist, headers = {}, throttle = null) {
  // A connection that a browser opens in advance may be idle for longer than Node allows: it would be answered with 408.
  const patient = { headersTimeout: 0, requestTimeout: 0 };
  const server = createServer(patient, async (request, response) => {
    const fail = (status) => response.writeHead(status, { "content-type": types[".txt"] }).end(`${status}\n`);
    try {
      if (request.method !== "GET" && request.method !== "HEAD") return fail(405);
      const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
      const file = normalize(join(folder, path.endsWith("/") ? `${path}index.html` : path));
      const info = file.startsWith(folder + sep) && (await stat(file).catch(() => null));
      if (!info?.isFile()) return fail(404);
      if (DELAY_MODULES && LATE_MODULES.test(path)) await sleep(Number(DELAY_MODULES));
      response.writeHead(200, {
        "content-type": types[extname(file)] ?? "application/octet-stream",
        "content-length": info.size,
        "cache-control": "no-cache",
        // Like hosts of static sites: required for modules from another origin, and in a frame with an opaque origin.
        "access-control-allow-origin": "*",
        ...headers,
      });
      if (request.method === "HEAD") return response.end();
      if (throttle) return await trickle(file, response, throttle);
      createReadStream(file)
        .on("error", () => response.destroy())
        .pipe(response);
    } catch {
      if (response.headersSent) response.destroy();
      else fail(400);
    }
  });
  await new Promise((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
  return {
    url: `http://localhost:${server.address().port}/`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const port = process.argv[2] ?? 8080;
  try {
    const { url } = await serve(Number(port));
    console.log(`The bench is at ${url} (Ctrl-C stops it).`);
  } catch (error) {
    const why =
      error.code === "EADDRINUSE"
        ? "is taken: choose another with scripts/serve --port N"
        : `cannot be used (${error.code})`;
    console.error(`serve: port ${port} ${why}`);
    process.exitCode = 1;
  }
}
