// The Link headers of a long list of readings, from the built program: a client that knows no
// parameters walks by them from page to page.

import { expect, test } from "vitest";
import { startAppliance } from "../oracle/appliance.ts";
import { walked } from "../rig/walked-pages.ts";

interface Row {
  readonly timestamp: string;
}

test("the links of a page lead through all readings, on and back, each once", async () => {
  await using appliance = await startAppliance();
  const all = Array.from({ length: 700 }, (_, minute) =>
    new Date(Date.UTC(2026, 4, 1) + minute * 60_000).toISOString(),
  );
  const readings = all.map((timestamp) => ({ timestamp, SYS_PRESSURE: 2.5 }));
  await appliance.publish([{ kind: "telemetry", payload: JSON.stringify(readings) }]);
  const range = "startDate=2026-05-01&endDate=2026-05-01";
  const asked = `${appliance.url}/api/telemetry/chunked?${range}&fields=SYS_PRESSURE`;
  const times = (pages: readonly (readonly Row[])[]) =>
    pages.flat().map(({ timestamp }) => timestamp);
  expect(times(await walked<Row>(`${asked}&limit=90`, "next"))).toEqual(all);
  const back = await walked<Row>(`${asked}&offset=650&limit=90`, "prev");
  expect(times(back.toReversed())).toEqual(all);
  expect(
    (await walked(`${asked}&offset=650&limit=90`, "first")).map(({ length }) => length),
  ).toEqual([50, 90]);
  // One page has no other, and a page of large readings is streamed.
  expect((await fetch(`${asked}&limit=700`)).headers.get("link")).toBeNull();
  const large = await fetch(`${asked.replace(/&fields.*/, "")}&limit=600`, { method: "HEAD" });
  expect(large.headers.get("link")).toMatch(
    /^<\?startDate=[^>]*&limit=600&offset=600>; rel="next"$/,
  );
});
