// Notes behind a thousand later ones, and beside entries that a salvage lost, through the built
// program: a key still counts, a correction keeps to its note.

import path from "node:path";
import { afterAll, test as single } from "vitest";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { changed } from "../rig/damages.ts";
import { foldersOfTests } from "../rig/folders.ts";
import { runProgram } from "../rig/program.ts";

const newFolder = foldersOfTests(afterAll);
const test = single.concurrent;

const TOKEN = "token-of-the-chief-engineer";
const env = { BALLASTD_AUTH_TOKEN: TOKEN };
const headers = { "Content-Type": "application/json", Authorization: `Bearer ${TOKEN}` };
const FROM = "2026-05-01T06:30:00.000Z";

async function post({ url }: Appliance, path: string, body: object, given: object = headers) {
  const answer = await fetch(url + path, {
    ...{ method: "POST", headers: { ...given }, body: JSON.stringify(body) },
  });
  return { status: answer.status, body: await answer.json() };
}

const note = (key: string, more: object = {}) => ({
  ...{ from: FROM, text: "turbid water", who: "2/E Reyes", key, ...more },
});

test("a key counts, and a note can be corrected, behind a thousand later ones", async ({
  expect,
}) => {
  await using appliance = await startAppliance({ env });
  const first = await post(appliance, "/admin/notes", note("a-key-of-the-page-1"));
  for (let index = 0; index < 1010; index += 1)
    await post(
      appliance,
      "/admin/notes",
      note(`a-key-of-others-${index}`, { from: "2026-06-01Z" }),
    );
  expect(await post(appliance, "/admin/notes", note("a-key-of-the-page-1"))).toEqual(first);
  const corrects = { text: "silt", corrects: first.body.id };
  const second = await post(appliance, "/admin/notes", note("a-key-of-the-page-2", corrects));
  expect(second.status).toBe(200);
  const day = "startDate=2026-05-01T00:00Z&endDate=2026-05-01T12:00Z";
  expect(await appliance.json(`/api/notes?${day}`)).toMatchObject([
    { text: "silt", corrects: first.body.id },
    { id: first.body.id, corrected_by: second.body.id },
  ]);
});

test("a correction keeps to its note where a salvage lost entries", async ({ expect }) => {
  const folder = newFolder();
  const before = await startAppliance({ env, folder });
  const written: number[] = [];
  const write = async (text: string, more: object = {}) => {
    const key = `a-key-of-the-note-${written.length}`;
    const { body } = await post(before, "/admin/notes", note(key, { text, ...more }));
    written.push(body.id);
    return body.id;
  };
  // As many as fill some pages, so that the damage costs only some.
  for (let index = 0; index < 60; index += 1) await write(`filler ${index} ${"z".repeat(400)}`);
  const id = await write("silt");
  const wrong = await write("of another ship");
  for (let index = 0; index < 5; index += 1) await write(`other ${index}`);
  await write("silt in the river", { corrects: id });
  await write("", { corrects: wrong });
  await before.program.stop("SIGTERM");
  changed(path.join(folder, "data", "ballastd.db"), (bytes) => {
    // Also where a page that is free now has it.
    const find = () => bytes.indexOf("filler 30 ");
    for (let at = find(); at >= 0; at = find()) bytes.fill("?", at, at + 300);
  });
  const run = await runProgram({ args: ["salvage", "--json"], folder });
  expect(run.code, run.stderr).toBe(0);
  await using appliance = await startAppliance({ env, folder });
  const notes: {
    id: number;
    text: string;
    corrects: number | null;
    corrected_by: number | null;
  }[] = await appliance.json("/api/notes?limit=1000");
  const textOf = (wanted: number | null) => notes.find((one) => one.id === wanted)?.text;
  const idOf = (wanted: string) => notes.find(({ text }) => text === wanted)?.id;
  expect(notes.length).toBeLessThan(written.length);
  expect(idOf("silt")).not.toBe(id);
  const corrections = notes.filter(({ corrects }) => corrects !== null);
  expect(corrections.map(({ text, corrects }) => [text, textOf(corrects)])).toEqual([
    ["", "of another ship"],
    ["silt in the river", "silt"],
  ]);
  const corrected = notes.filter(({ corrected_by }) => corrected_by !== null);
  expect(corrected.map(({ text }) => text)).toEqual(["of another ship", "silt"]);
});
