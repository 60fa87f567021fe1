// Runs test files in the given order: `node --test` sorts them by name, so one that takes minutes could start last.
//
//     node tests/web/run.mjs [--jobs=4] FILE…
import { run } from "node:test";
import { spec as Spec } from "node:test/reporters";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  options: { jobs: { type: "string", default: "4" } },
  allowPositionals: true,
});
run({ files: positionals, concurrency: Number(values.jobs) })
  .on("test:fail", ({ todo }) => {
    if (todo === undefined || todo === false) process.exitCode = 1;
  })
  .compose(new Spec())
  .pipe(process.stdout);
