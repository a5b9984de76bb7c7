// A ship as the office sees it: when it was last heard, its last report, and its troubles; the
// worst ship comes first. Silence and a report without new readings are separate troubles. A report
// counts as the present only while it is new.

import * as z from "zod";
import { OPERATION_VERDICTS } from "../operations/operation-words.ts";
import { TAGS } from "../tags.ts";
import { type ShipTrouble, TROUBLES } from "./ship-trouble.ts";
import { SYSTEM_VALUES } from "./system-values.ts";

const HOUR_MS = 3_600_000;
/** Time without a report after which a ship is silent: six reports are missing then. */
const SILENT_MS = HOUR_MS;
/** Age at which readings count as old, longer than any plant's cadence. */
const READINGS_OLD_MS = HOUR_MS;
/**
 * Delay at which raw readings are behind: they are sealed after 24 h at the latest, and sent within
 * the next 24.
 */
const RAW_BEHIND_MS = 48 * HOUR_MS;
const CLOCK_OFF_MS = 300_000;

const time = z.iso.datetime().nullable();
const number = z.number().nullable();
const LampDue = z.object({ lamp: z.number().int(), date: z.iso.date() });
export type LampDue = z.output<typeof LampDue>;

export const ShipReport = z.object({
  at: time.meta({ description: "by the box's clock" }),
  received: time.meta({ description: "by the shore's clock" }),
  is_current: z.boolean().meta({ description: "false: it is what was, and not what is" }),
  state: z.string().nullable(),
  operation_type: z.string().nullable(),
  location: z.string().nullable(),
  values: z
    .object(Object.fromEntries(SYSTEM_VALUES.map((index) => [TAGS[index].name, number])))
    .meta({ description: "of the newest reading" }),
  alarms: z.array(z.string()).meta({ description: "codes of the open alerts aboard, 200 at most" }),
  alarms_known: z.boolean().meta({ description: "false: she told no list of them" }),
  health: number.meta({ description: "overall score" }),
  hot_readings: number.meta({ description: "readings that aren't sealed yet" }),
  backlog: z.object({ links: number, bytes: number, since: time }),
  clock: z.object({ trusted: z.boolean().nullable(), offset_ms: number }),
  lamp_due: LampDue.nullable().meta({ description: "whose end she expects first" }),
  line: z.object({ today_bytes: number, month_bytes: number, minutes_left: number }).meta({
    description: "bytes since midnight UTC and the first of the month, to the thousand, as of `at`",
  }),
});

export const LastVerdict = z.object({
  verdict: z.enum(OPERATION_VERDICTS).meta({ description: "as she stated it in her ledger" }),
  version: number,
  operation_type: z.string().nullable(),
  location: z.string().nullable(),
  end: time,
  is_proven: z.boolean().meta({
    description: "`ballastd fleet verify --record` found it in the tree of a signed head",
  }),
});
export type LastVerdict = z.output<typeof LastVerdict>;

export const FleetShip = z
  .object({
    ship: z.string().meta({ description: "IMO number" }),
    name: z.string(),
    contact: z.enum(["contact", "no_contact", "never"]),
    last_contact: time,
    readings: z.enum(["current", "old", "none", "unknown"]).meta({
      description:
        "old: she speaks, but has no reading of the last hour; " +
        "unknown: she is silent, or its time lies more than an hour ahead",
    }),
    data_until: time.meta({ description: "time of her newest reading, as she said last" }),
    raw_until: time.meta({ description: "her raw readings are here in full until then" }),
    report: ShipReport.nullable(),
    version: z.string().nullable(),
    boxes: z.number().int().meta({ description: "boxes that used her key within a day" }),
    forks: z.number().int(),
    added: z.iso.datetime(),
    silent_since: time.meta({
      description: "an alert: she hasn't spoken for longer than silence_minutes since then",
    }),
    chain: z.object({
      verified_to: z.number().int().nullable().meta({
        description: "number of the newest segment, up to which the database proved each hash",
      }),
      is_refused: z.boolean().nullable().meta({
        description: "the shore refused a link of hers, as she said last",
      }),
    }),
    last_verdict: LastVerdict.nullable().meta({
      description:
        "on the newest operation of which a proven one is here, else of which one is; it says " +
        "nothing of what is now",
    }),
    troubles: z.array(z.enum(TROUBLES)).meta({ description: "the worst first" }),
  })
  .meta({
    id: "FleetShip",
    example: {
      ...{ ship: "9074729", name: "MV Example", contact: "no_contact" },
      ...{ last_contact: "2026-05-01T06:30:00.000Z", readings: "unknown" },
      ...{ data_until: null, raw_until: null, report: null, version: "0.3.0", boxes: 1, forks: 0 },
      ...{ added: "2026-04-01T08:00:00.000Z", silent_since: "2026-05-01T06:30:00.000Z" },
      chain: { verified_to: 1234, is_refused: null },
      last_verdict: {
        ...{ verdict: "within_limits", version: 1, operation_type: "BALLAST", location: "Busan" },
        ...{ end: "2026-05-01T04:10:00.000Z", is_proven: true },
      },
      troubles: ["no_contact"],
    },
  });
export type FleetShip = z.output<typeof FleetShip>;

/** Facts that the troubles are derived from; times by the office's clock. */
interface JudgedFacts {
  readonly now_ms: number;
  readonly last_contact_ms: number | null;
  readonly report_received_ms: number | null;
  readonly data_ms: number | null;
  readonly raw_ms: number | null;
  readonly clock_offset_ms: number | null;
  readonly alarms: number;
  readonly forks: number;
}

export type ShipCondition = Pick<FleetShip, "contact" | "readings" | "troubles"> & {
  readonly is_current: boolean;
};

export function shipJudged({ now_ms, ...facts }: JudgedFacts): ShipCondition {
  const isOlder = (at_ms: number | null, than_ms: number) =>
    at_ms !== null && now_ms - at_ms > than_ms;
  const { last_contact_ms, data_ms, clock_offset_ms } = facts;
  const isSilent = last_contact_ms === null || isOlder(last_contact_ms, SILENT_MS);
  const is_current =
    !isSilent && facts.report_received_ms !== null && !isOlder(facts.report_received_ms, SILENT_MS);
  const known = data_ms === null ? "none" : isOlder(data_ms, READINGS_OLD_MS) ? "old" : "current";
  const isAhead = data_ms !== null && data_ms - now_ms > READINGS_OLD_MS;
  // The age of a reading dated in the future isn't known.
  const readings = is_current && !isAhead ? known : "unknown";
  const isOff = clock_offset_ms !== null && Math.abs(clock_offset_ms) > CLOCK_OFF_MS;
  const found: Readonly<Record<ShipTrouble, boolean>> = {
    fork: facts.forks > 0,
    alarms: is_current && facts.alarms > 0,
    no_contact: isSilent,
    no_readings: !isSilent && readings !== "current",
    raw_behind: data_ms !== null && (facts.raw_ms === null || isOlder(facts.raw_ms, RAW_BEHIND_MS)),
    clock: is_current && isOff,
  };
  const contact = last_contact_ms === null ? "never" : isSilent ? "no_contact" : "contact";
  return { contact, readings, is_current, troubles: TROUBLES.filter((name) => found[name]) };
}

/** Sorts by the worst trouble, then by how many there are, then by the longest silence. */
export function byTrouble(one: FleetShip, other: FleetShip): number {
  const worst = ({ troubles: [first] }: FleetShip) =>
    first === undefined ? TROUBLES.length : TROUBLES.indexOf(first);
  return (
    worst(one) - worst(other) ||
    other.troubles.length - one.troubles.length ||
    compared(one.last_contact ?? "", other.last_contact ?? "") ||
    compared(one.ship, other.ship)
  );
}

function compared(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
