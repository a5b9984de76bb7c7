// One operation as text for people: in words, in UTC, within 80 columns, whatever it lacks.

import { expect, test } from "vitest";
import { operationText } from "../../../../src/bwts/documents/operation-text.ts";
import { Operation } from "../../../../src/bwts/operations/operation.ts";
import { OPERATION_EXAMPLE } from "../../../../src/bwts/operations/operation-example.ts";

const textOf = (differing: object = {}) =>
  operationText(Operation.parse({ ...OPERATION_EXAMPLE, ...differing }));

test("it tells the verdict, why, the water and the limits as people write them", () => {
  expect(textOf()).toBe(`OPERATION 12: Uptake, Busan
1 May 2026 04:00 to 06:00 UTC (2 h); known by its events
Verdict: ✕ OUTSIDE limits

WHY
✕ UV below 252 W/m² for 8 min
    1 May 04:30:00 to 04:38:00; least 231.5 W/m² at 04:33:00; 80 m³; 8 readings

WATER
Volume 1,200 m³ by totaliser (flow over time 1,199 m³, 0.07 % apart)
  within limits: 1 May 04:00:00 to 04:30:00, 30 min, 300 m³
  outside limits: 1 May 04:30:00 to 04:38:00, 8 min, 80 m³
  within limits: 1 May 04:38:00 to 06:00:00, 1 h 22 min, 820 m³

VALUES (least, mean, most)
UV intensity: 231 / 588 / 612 W/m²
flow: 585 / 600 / 612 m³/h
lamp power: 78 / 82.4 / 100 %
pressure: 1.8 / 2 / 2.1 bar
water temperature: 18.2 / 18.9 / 19.4 °C
filter, differential pressure: 0.21 / 0.24 / 0.31 bar
air in the lamp drive cabinet: 31 / 33.5 / 35 °C

LIMITS IN FORCE
UV, IMO, at least 252 W/m², from 1 May 04:00:00; beyond it 8 min
flow, IMO, at most 1,000 m³/h, from 1 May 04:00:00
filter, differential pressure warns at 0.5 bar, from 1 May 04:00:00
Source: type approval certificate 0815

THE RECORD
Mode IMO; 121 readings, 0 hidden; bypassed never
Last cleaning (CIP) 211 h before; backflushes of the filter 1
Gaps in the data 0; alerts 0; clocks set 0
Root of its readings CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

VERSIONS OF THE VERDICT
1, 1 May 2026 06:00 UTC: outside limits; verdict 12 of the ledger; because the
  operation ended`);
});

test("what isn't known is told as that, and nothing stands for a value", () => {
  const nothing = { unit: null, readings: 0, min: null, mean: null, max: null };
  const text = textOf({
    ...{ operation_type: null, location: null, end: null, version: 0, versions: [], verdict: null },
    ...{ reasons: [], parts: [], limits: [], limits_source: null, mode: null, backflushes: null },
    ...{ volume_m3: null, volume_source: null, volume_totaliser_m3: null, volume_flow_m3: null },
    ...{ volume_difference_percent: null, hours_since_cip: null, readings_root: null },
    values: Object.fromEntries(
      Object.keys(OPERATION_EXAMPLE.values).map((name) => [name, nothing]),
    ),
  });
  expect(text).not.toMatch(/null|undefined|NaN/);
  expect(text).toContain("OPERATION 12: ?, place not known");
  expect(text).toContain("Verdict: it runs");
  expect(text).toContain("Volume not known");
});

test("what a plant sends stays within the lines", () => {
  const text = textOf({ location: `${"W".repeat(200)}\u001b[2J\nVerdict: ● within limits` });
  expect(text.split("\n").filter((line) => [...line].length > 80)).toEqual([]);
  expect(text.match(/^Verdict:/gm)).toHaveLength(1);
});
