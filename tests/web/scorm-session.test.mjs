// The session with a learning management system by SCORM 1.2, tested against a stricter one: tests/web/scorm-system.mjs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Session, find, fitting, kept, span } from "../../scorm/session.mjs";
import { system } from "./scorm-system.mjs";

const state = { address: "k=7", place: "rope", figure: { view: "worksheet", answers: "7.10.0;0.5;2" } };
const half = { score: 50, done: false, location: "worksheet 3", state };
const whole = { score: 80, done: true, location: "worksheet 10", state };

test("a session reports score, status, location and state, and finishes once", () => {
  let time = 100;
  const lms = system();
  const session = new Session(lms.API, () => time);
  assert.deepEqual(session.begin(), {});
  assert.equal(lms.values["cmi.core.lesson_status"], "incomplete");
  assert.ok(session.report(half));
  assert.equal(lms.kept["cmi.core.score.raw"], "50", "it is committed with each answer");
  time += 3725;
  assert.ok(session.report(whole));
  session.end(whole);
  session.end(whole);
  assert.equal(session.report(whole), false, "afterwards nothing is called");
  assert.deepEqual(lms.faults, []);
  assert.equal(lms.phase(), "finished");
  assert.equal(lms.calls.filter(([name]) => name === "LMSFinish").length, 1);
  assert.deepEqual(Object.fromEntries(Object.entries(lms.kept).filter(([name]) => !/mode|suspend_data/.test(name))), {
    "cmi.core.lesson_status": "completed",
    "cmi.core.lesson_location": "worksheet 10",
    "cmi.core.score.raw": "80",
    "cmi.core.score.min": "0",
    "cmi.core.score.max": "100",
    "cmi.core.session_time": "0001:02:05",
    "cmi.core.exit": "",
  });
});

test("a second attempt finds what the first has left", () => {
  const kept = {};
  const first = new Session(system({ kept }).API);
  first.begin();
  first.report(half);
  first.end(half);
  assert.equal(kept["cmi.core.exit"], "suspend");
  const lms = system({ kept });
  const second = new Session(lms.API);
  assert.deepEqual(second.begin(), state);
  second.report(whole);
  second.end(whole);
  assert.deepEqual(lms.faults, []);
  assert.equal(kept["cmi.core.lesson_status"], "completed");
  // A third session that ends unfinished does not reset the status.
  const third = new Session(system({ kept }).API);
  third.begin();
  third.report(half);
  third.end(half);
  assert.equal(kept["cmi.core.lesson_status"], "completed");
});

test("the limits of 4096 and 255 characters are held, with as much as fits", () => {
  const lms = system();
  const session = new Session(lms.API);
  session.begin();
  const long = "x".repeat(4000);
  const chinese = "位".repeat(800);
  for (const [name, state, expected] of [
    ["all", { address: "k=7", place: "rope", figure: { view: "quiz" } }, ["address", "place", "figure"]],
    ["a long address", { address: long + long, place: "rope", figure: { view: "quiz" } }, ["place", "figure"]],
    ["a long figure", { address: "k=7", place: "rope", figure: { words: long + long } }, ["address", "place"]],
    ["both", { address: long + long, place: "rope", figure: { words: long + long } }, ["place"]],
    ["everything", { address: long, place: long + long, figure: { words: long } }, []],
    ["letters that take six", { address: "k=7", place: "rope", figure: { words: chinese } }, ["address", "place"]],
  ]) {
    assert.ok(session.report({ ...half, location: "y".repeat(300), state }), name);
    const text = lms.values["cmi.suspend_data"];
    assert.ok(text.length <= 4096);
    assert.deepEqual(Object.keys(kept(text)), expected, name);
    assert.equal(lms.values["cmi.core.lesson_location"].length, 255);
  }
  assert.deepEqual(lms.faults, []);
  const words = { place: "", figure: { initials: "李明" } };
  assert.match(fitting(words), /^[ -~]+$/);
  assert.deepEqual(kept(fitting(words)), words);
});

test("an empty mode is the normal one; in review and browse nothing is written", () => {
  for (const [mode, writes] of [
    ["", true],
    ["normal", true],
    ["review", false],
    ["browse", false],
  ]) {
    const lms = system({ mode });
    const session = new Session(lms.API);
    assert.ok(session.begin());
    assert.equal(session.writable, writes);
    assert.ok(session.report(whole));
    session.end(whole);
    assert.equal(
      lms.calls.some(([name]) => name === "LMSSetValue"),
      writes,
      mode,
    );
    assert.equal(lms.phase(), "finished");
    assert.deepEqual(lms.faults, []);
  }
});

test("whichever call fails, and however, the session goes on", () => {
  const steps = (session) => {
    const began = session.begin();
    const reports = [session.report(half), session.report(whole)];
    session.end(whole);
    return { began, reports };
  };
  const complete = system();
  steps(new Session(complete.API));
  const count = complete.calls.length;
  assert.ok(count > 15);
  for (const how of ["throw", "false"]) {
    for (let failing = 1; failing <= count; failing++) {
      const lms = system({ fails: (_, at) => (at === failing ? how : undefined) });
      const { began, reports } = steps(new Session(lms.API));
      // A system that fails to initialise is not used; rejected values are reported.
      if (lms.calls[0] && failing === 1) {
        assert.equal(began, undefined);
        assert.deepEqual(reports, [false, false]);
        assert.equal(lms.calls.length, 1);
      }
      assert.deepEqual(lms.faults, [], `${how} at ${failing}`);
    }
    // All calls fail.
    const dead = system({ fails: () => how });
    assert.deepEqual(steps(new Session(dead.API)), { began: undefined, reports: [false, false] });
  }
  for (const nothing of [undefined, null, {}, { LMSInitialize: 1 }, { LMSInitialize: () => undefined }])
    assert.deepEqual(steps(new Session(nothing)), { began: undefined, reports: [false, false] });
});

test("what a lost connection has swallowed is reported with the next answer", () => {
  let lost = false;
  const lms = system({ fails: () => (lost ? "throw" : undefined) });
  const session = new Session(lms.API);
  session.begin();
  assert.ok(session.report({ ...half, score: 10 }));
  lost = true;
  assert.equal(session.report({ ...half, score: 20 }), false);
  assert.equal(session.report({ ...half, score: 30, location: "worksheet 4" }), false);
  assert.equal(lms.kept["cmi.core.score.raw"], "10");
  lost = false;
  assert.ok(session.report({ ...half, score: 30, location: "worksheet 5" }));
  assert.equal(lms.kept["cmi.core.score.raw"], "30");
  assert.equal(lms.kept["cmi.core.lesson_location"], "worksheet 5");
  assert.deepEqual(lms.faults, []);
});

test("the interface is looked for in the windows around, and in those of the opener", () => {
  const API = {};
  const top = { API };
  top.parent = top;
  const middle = { parent: top };
  assert.equal(find({ parent: middle }), API);
  assert.equal(find({ API, parent: middle }), API);
  const bare = {};
  bare.parent = bare;
  assert.equal(find({ parent: bare, opener: middle }), API);
  assert.equal(find(bare), undefined);
  // A window of another origin: access throws.
  const foreign = new Proxy(
    {},
    {
      get: () => {
        throw new Error("SecurityError");
      },
    },
  );
  assert.equal(find({ parent: foreign }), undefined);
  assert.equal(find({ parent: foreign, opener: middle }), API);
  assert.equal(
    find(
      Object.defineProperty({ parent: bare }, "opener", {
        get: () => {
          throw new Error("x");
        },
      }),
    ),
    undefined,
  );
  const [a, b] = [{}, {}];
  [a.parent, b.parent] = [b, a];
  assert.equal(find(a), undefined, "a circle has an end");
});

test("spans of time are those of the standard", () => {
  assert.deepEqual([0, 59.9, 3600, 86399, 1e9, -5].map(span), [
    "0000:00:00",
    "0000:00:59",
    "0001:00:00",
    "0023:59:59",
    "9999:59:59",
    "0000:00:00",
  ]);
});

test("what cannot be read was not kept", () => {
  for (const text of ["", "x", "[]", "null", "7", '{"address":7,"figure":null,"place":[]}', "{"])
    assert.deepEqual(kept(text), {});
});
