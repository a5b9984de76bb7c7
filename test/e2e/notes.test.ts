// Notes and handovers through the built program: written once for a key, in the name of the token,
// as entries of the audit log; corrected by a later one; there after a kill.

import { afterAll, test as single } from "vitest";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { foldersOfTests } from "../rig/folders.ts";

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

async function audited({ url }: Appliance, kind: string) {
  const answer = await fetch(`${url}/admin/audit?kind=${kind}`, { headers });
  return (await answer.json()).data;
}

const note = (key: string, more: object = {}) => ({
  ...{ from: FROM, text: "turbid water", who: "2/E Reyes", key, ...more },
});
const watch = (key: string, more: object = {}) => ({
  ...{ remark: "lamp 10 at Busan", handed_over_by: "Reyes", taken_over_by: "Kim", key, ...more },
});

test("a note is stored once for its key, and corrected only by a later one", async ({ expect }) => {
  await using appliance = await startAppliance({ env });
  const first = await post(appliance, "/admin/notes", note("a-key-of-the-page-1"));
  expect(first.status).toBe(200);
  // Sent again, as after a link that died: the same entry.
  expect(await post(appliance, "/admin/notes", note("a-key-of-the-page-1"))).toEqual(first);
  const other = note("a-key-of-the-page-1", { text: "clear water" });
  expect((await post(appliance, "/admin/notes", other)).status).toBe(409);
  const { id } = first.body;
  const corrects = { text: "silt", corrects: id };
  const second = await post(appliance, "/admin/notes", note("a-key-of-the-page-2", corrects));
  expect(second.status).toBe(200);
  const again = await post(appliance, "/admin/notes", note("a-key-of-the-page-3", corrects));
  expect(again.status).toBe(409);
  const unknown = note("a-key-of-the-page-4", { corrects: 999 });
  expect((await post(appliance, "/admin/notes", unknown)).status).toBe(404);
  expect(await appliance.json("/api/notes")).toMatchObject([
    { id: second.body.id, text: "silt", corrects: id, corrected_by: null, damaged: false },
    { id, text: "turbid water", who: "2/E Reyes", from: FROM, corrected_by: second.body.id },
  ]);
  expect(await audited(appliance, "note")).toHaveLength(2);
  const day = "startDate=2026-05-01T00:00Z&endDate=2026-05-01T12:00Z";
  expect(await appliance.json(`/api/notes?${day}`)).toHaveLength(2);
  const later = "startDate=2026-05-02T00:00Z&endDate=2026-05-02T12:00Z";
  expect(await appliance.json(`/api/notes?${later}`)).toEqual([]);
});

test("a handover has both names and its token, and is there after a kill", async ({ expect }) => {
  const folder = newFolder();
  const killed = await startAppliance({ env, folder });
  const first = await post(killed, "/admin/handovers", watch("a-key-of-the-page-1"));
  expect(first.status).toBe(200);
  await killed.program.stop("SIGKILL");
  await using appliance = await startAppliance({ env, folder });
  const known = await appliance.json("/api/handovers");
  expect(known).toMatchObject([
    { remark: "lamp 10 at Busan", handed_over_by: "Reyes", taken_over_by: "Kim", corrects: null },
  ]);
  const [entry] = await audited(appliance, "handover");
  expect(entry).toMatchObject({ id: first.body.id, actor: known[0].by });
  // The key of before the kill still counts.
  expect(await post(appliance, "/admin/handovers", watch("a-key-of-the-page-1"))).toEqual(first);
  expect(await audited(appliance, "handover")).toHaveLength(1);
});

test("without a token, a name, a time or a text nothing is written", async ({ expect }) => {
  await using appliance = await startAppliance({ env });
  const plain = { "Content-Type": "application/json" };
  const key = "a-key-of-the-page-1";
  const statuses = [
    await post(appliance, "/admin/notes", note(key), plain),
    await post(appliance, "/admin/handovers", watch(key), plain),
    await post(appliance, "/admin/handovers", watch(key, { taken_over_by: "" })),
    await post(appliance, "/admin/handovers", watch("short")),
    await post(appliance, "/admin/notes", note(key, { from: "yesterday" })),
    await post(appliance, "/admin/notes", note(key, { text: " " })),
    await post(appliance, "/admin/notes", note(key, { to: "2026-05-01T06:00Z" })),
    // Nobody signs so: blank, of characters that can't be seen, or with a second line.
    await post(appliance, "/admin/handovers", watch(key, { handed_over_by: "  " })),
    await post(appliance, "/admin/handovers", watch(key, { handed_over_by: "\u200b" })),
    await post(appliance, "/admin/handovers", watch(key, { taken_over_by: "Kim\nCaptain: Ho" })),
    await post(appliance, "/admin/notes", note(key, { who: "\u202eKim" })),
    await post(appliance, "/admin/notes", note(key, { text: "\u200f\u200e" })),
    await post(appliance, "/admin/notes", note(key, { text: "turbid\u0007" })),
    await post(appliance, "/admin/notes", note(key, { from: "0026-05-01T06:00Z" })),
    await post(appliance, "/admin/notes", note(key, { to: "9999-05-01T06:00Z" })),
  ].map(({ status }) => status);
  expect(statuses).toEqual([401, 401, ...Array.from({ length: 13 }, () => 400)]);
  expect(await appliance.json("/api/notes")).toEqual([]);
  expect(await appliance.json("/api/handovers")).toEqual([]);
});
