// The messages of one session, read by the model that the test's host makes of them.

import { expect, test } from "vitest";
import { TAGS } from "../../../src/bwts/tags.ts";
import { systemClock } from "../../../src/ground/clock.ts";
import { NodeSession } from "../../../src/scada/node-session.ts";
import { HostModel } from "../../rig/sparkplug-host.ts";

test("the sequence goes to 255 and begins again, and nothing is told after the end", async () => {
  const broken: string[] = [];
  const model = new HostModel((rule) => broken.push(rule));
  const seqs: (number | null)[] = [];
  const session = new NodeSession({
    ...{ group: "ship", node: "BWTS-001", version: "0", birth_number: 255, clock: systemClock },
    async publish({ topic, payload }) {
      seqs.push(model.hear(topic, payload, { qos: 0, retain: false }).seq);
    },
  });
  const texts = (at_ms: number) => ({
    at_ms,
    values: TAGS.map(({ type }) => (type === "string" ? `${at_ms}` : null)),
  });
  await session.bear();
  await session.bearDevice(texts(0));
  for (let at_ms = 1; at_ms <= 600; at_ms += 1)
    await session.tell(texts(at_ms - 1), [texts(at_ms)], { isHistorical: false });
  await session.loseDevice();
  expect(seqs).toEqual(Array.from({ length: 603 }, (_, index) => index % 256));
  expect(model.values.get("location")).toBe("600");
  const { topic, payload } = session.death();
  expect(model.hear(topic, payload, { qos: 1, retain: false }).metrics).toMatchObject([
    { name: "bdSeq", value: 255n },
  ]);
  session.end();
  await session.bear();
  expect(seqs).toHaveLength(603);
  expect(broken).toEqual([]);
});
