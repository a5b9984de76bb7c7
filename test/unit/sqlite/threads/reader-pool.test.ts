// The readers' threads: as many as there is work for, and replaced when they die.

import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { ReaderLost, ReadersBusy } from "../../../../src/sqlite/file/query.ts";
import {
  openReaderPool,
  type ReaderPool,
  type ReaderThread,
} from "../../../../src/sqlite/threads/reader-pool.ts";
import type { FromReader } from "../../../../src/sqlite/threads/reader-thread.ts";
import { rigsOfTests } from "../../../rig/database.ts";
import { LAMP_CONFIG } from "../../../rig/fleet.ts";
import { SILENT } from "../../../rig/http-server-rig.ts";
import { PROGRAM } from "../../../rig/program.ts";

const openRig = rigsOfTests();

async function openPool(): Promise<ReaderPool & AsyncDisposable> {
  const { dir } = openRig();
  const pool = await openReaderPool({
    workerFile: path.join(path.dirname(PROGRAM), "worker.cjs"),
    role: { role: "reader", dir, ...LAMP_CONFIG },
    log: SILENT,
    onDamage: () => {},
  });
  return { ...pool, [Symbol.asyncDispose]: pool.close };
}

/** A thread starts in a fraction of this. */
const STARTED_MS = 1500;

let seq = 0;

/** Asks for the latest reading; the answer, of which there is none, stays under way until `end`. */
function ask(thread: ReaderThread): { reply: Promise<FromReader | Error>; end(): void } {
  seq += 1;
  const number = seq;
  const { promise, resolve } = Promise.withResolvers<FromReader | Error>();
  thread.asks.set(number, resolve);
  thread.post({ kind: "ask", seq: number, query: { name: "latest" } });
  return { reply: promise, end: () => thread.asks.delete(number) };
}

/** The pool's least busy thread, once one runs that `isMeant`. */
async function threadWhen(
  pool: ReaderPool,
  isMeant: (thread: ReaderThread) => boolean,
): Promise<ReaderThread> {
  for (;;) {
    try {
      const thread = pool.leastBusy();
      if (isMeant(thread)) return thread;
    } catch (error) {
      if (!(error instanceof ReadersBusy)) throw error;
    }
    await sleep(10);
  }
}

test("one thread answers what comes one after the other", async () => {
  await using pool = await openPool();
  const first = pool.leastBusy();
  for (let count = 0; count < 5; count += 1) {
    const thread = pool.leastBusy();
    expect(thread).toBe(first);
    const { reply, end } = ask(thread);
    expect(await reply).toMatchObject({ kind: "nothing" });
    end();
  }
});

test("a second thread starts while the first has two answers under way", async () => {
  await using pool = await openPool();
  const first = pool.leastBusy();
  const long = [ask(first), ask(pool.leastBusy())];
  const second = await threadWhen(pool, (thread) => thread !== first);
  expect(await ask(second).reply).toMatchObject({ kind: "nothing" });
  expect(pool.open()).toBe(3);
  for (const { end } of long) end();
  expect(pool.leastBusy()).toBe(first);
});

test("questions that overlap for a moment start no second thread", async () => {
  await using pool = await openPool();
  for (const { end } of [ask(pool.leastBusy()), ask(pool.leastBusy())]) end();
  await sleep(STARTED_MS);
  expect(pool.running()).toHaveLength(1);
});

test("a thread that dies is replaced, and who waits for it is told", async () => {
  await using pool = await openPool();
  const first = pool.leastBusy();
  // Both cross before it ends: it never comes to the question.
  first.post({ kind: "close" });
  const { reply } = ask(first);
  expect(await reply).toBeInstanceOf(ReaderLost);
  expect(pool.open()).toBe(0);
  expect(pool.lost()).toBe(1);
  const second = await threadWhen(pool, (thread) => thread !== first);
  expect(await ask(second).reply).toMatchObject({ kind: "nothing" });
});

test("a question never goes to the thread that work holds, and work goes to no other", async () => {
  await using pool = await openPool();
  const working = await pool.forWork();
  working.work.add(0);
  expect(await pool.forWork()).toBe(working);
  for (let count = 0; count < 3; count += 1) {
    const thread = pool.leastBusy();
    expect(thread).not.toBe(working);
    // None ends: more answers are under way there than in the thread that works.
    expect(await ask(thread).reply).toMatchObject({ kind: "nothing" });
  }
  expect(pool.running()).toHaveLength(2);
});
