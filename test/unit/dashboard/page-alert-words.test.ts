// Open alerts in words, as the pages say them.

import { expect, test } from "vitest";
import { readAlertList, type ShownAlert } from "../../../src/dashboard/store/alerts.ts";
import { alertKind } from "../../../src/dashboard/watch/alert-kind.ts";
import { titleOf } from "../../../src/dashboard/watch/alert-rows.ts";
import { endedWords, nextActions, openGroups } from "../../../src/dashboard/watch/next-actions.ts";
import { withPastLife } from "../../../src/dashboard/watch/past-life.ts";

/** Alerts of ballastd itself, by code and lamp. */
function alertsOf(...given: readonly (readonly [code: string, lamp: number | null])[]) {
  const known = readAlertList(
    given.map(([code, lamp]) => ({
      ...{ code, lamp, source: "ballastd", priority: "caution", alert_state: "unacknowledged" },
      description: `${code}: text`,
    })),
  );
  if (known === null) throw new Error("expected alerts");
  return known.value satisfies readonly ShownAlert[];
}

test("what to do next names each lamp that it is about, once", () => {
  const alerts = alertsOf(["LAMP_FAILED", 10], ["LAMP_FAILED", 3], ["LAMP_FAILED", 3]);
  const [action, ...others] = nextActions(openGroups(alerts));
  expect(action).toMatch(/^Lamps 03, 10: Replace the lamp, or look at its power supply/);
  expect(others).toEqual([]);
  expect(nextActions(openGroups(alertsOf(["LAMP_FAILED", 7])))[0]).toMatch(/^Lamp 07: Replace/);
  expect(nextActions(openGroups(alertsOf(["CIP_DUE", null])))[0]).toMatch(/^Clean the reactor/);
});

test("what to do next begins with alarms, then lamps past their life, then plans", () => {
  const cautions = alertsOf(["CIP_DUE", null], ["LAMP_NEAR_END", 5], ["LAMP_NEAR_END", 3]);
  const [ended] = alertsOf(["NO_DATA", null]);
  const [failed] = alertsOf(["LAMP_FAILED", 7]);
  const alerts = withPastLife(
    [
      // The newest first: the time it rose decides among equals alone.
      ...cautions.map((alert, index) => ({ ...alert, last_ms: 100 - index })),
      { ...ended, priority: "warning", state: "rectified", last_ms: 200 },
      { ...failed, priority: "warning", last_ms: 1 },
    ],
    [{ lamp: 3, condition: "past_life" }],
  );
  expect(nextActions(openGroups(alerts)).map((action) => action.slice(0, 20))).toEqual([
    "Lamp 07: Replace the",
    "Lamp 03: Change the ",
    "Clean the reactor in",
    "Lamp 05: Have a spar",
    "Look whether the PLC",
  ]);
});

test("an alert that has ended says so in a line of its own until it is acknowledged", () => {
  const [lasting, ended] = alertsOf(["LAMP_FAILED", 10], ["LAMP_FAILED", 3]);
  const groups = openGroups([lasting, { ...ended, state: "rectified" }]);
  expect(groups.map(endedWords).sort()).toEqual(["ended, not acknowledged", null].sort());
  expect(groups.map(([{ lamp }]) => lamp).sort()).toEqual([10, 3].sort());
});

test("an alert of a lamp past its life says the word of the lamp's condition", () => {
  const near = alertsOf(["LAMP_NEAR_END", 3], ["LAMP_NEAR_END", 5], ["LAMP_FAILED", 7]);
  const past = [3, 7].map((lamp) => ({ lamp, condition: "past_life" }) as const);
  const groups = openGroups(withPastLife(near, [...past, { lamp: 5, condition: "near_end" }]));
  const kinds = groups.map((group) => alertKind(group).text);
  expect(kinds).toContain("lamp 03 is past its life");
  expect(kinds).toContain("lamp 05 is near its end");
  expect(kinds).toContain("lamp 07 failed");
  expect(groups.map((group) => titleOf(group).text)).toContain("Lamp 03 is past its life");
  expect(nextActions(groups)).toContain(
    "Lamp 03: Change the lamp now; then tell ballastd of the new lamp.",
  );
  const [unknown] = openGroups(withPastLife(near, []));
  expect(alertKind(unknown).text).not.toContain("past");
});
