// Keys of the configuration that are changed over HTTP: those about the ship, its certificate and
// its lamps, and the addresses and the login for the ship's LAN. Other files and secrets stay with
// the command line aboard.

import * as z from "zod";
import { asDouble } from "../ground/exact-json.ts";
import { type RefusalReason, RefusalReasonShape } from "../ground/reasons.ts";

/** Schema of a text of at most `max` characters. */
const textOf = (max: number, expected = "expected a text") =>
  z.string(expected).max(max, `expected at most ${max} characters`);

const Value = z.union([textOf(512), z.number(), z.boolean(), z.null()], {
  error: "expected a text, a number, true, false or null",
});

const Shown = z.union(
  [z.string(), z.number(), z.boolean()],
  "expected a text, a number, true or false",
);
const CHANGES_MAX = 64;

/** Maximum number of values in a rule, more than any controller has states. */
const RULE_VALUES_MAX = 64;
const TOO_MANY = `expected at most ${RULE_VALUES_MAX} values`;

const RuleValue = z.preprocess(
  asDouble,
  z.union([textOf(128), z.number(), z.boolean()], "expected a text, a number, true or false"),
);

const Fraction = z
  .preprocess(asDouble, z.union([z.number(), textOf(64)], "expected a number or a text"))
  .meta({ description: 'a number, or a fraction as a text, "1/60"' });

const Rule = z
  .strictObject({
    topic: textOf(256, "expected a text or null").nullable().meta({
      description: "a topic filter; null: the topics on which ballastd expects readings",
    }),
    tag: textOf(256).meta({ description: "as the PLC sends it" }),
    field: textOf(64).meta({ description: "of the catalogue" }),
    factor: Fraction.optional(),
    offset: Fraction.optional(),
    comma: z.enum(["decimal", "thousands"], "expected decimal or thousands").optional(),
    values: z
      .record(z.string().max(128), RuleValue, "expected an object from values to values")
      .refine((given) => Object.keys(given).length <= RULE_VALUES_MAX, `has ${TOO_MANY}`)
      .optional()
      .meta({ description: "the meaning of each value that comes" }),
    quality: textOf(256).optional(),
    good: z
      .array(RuleValue, "expected a list")
      .max(RULE_VALUES_MAX, TOO_MANY)
      .readonly()
      .optional(),
  })
  .meta({
    id: "MapRule",
    example: { topic: "plc/1", tag: "PT101", field: "SYS_PRESSURE", factor: 0.001 },
  });

const rules = z.array(Rule, "expected a list of rules").max(CHANGES_MAX, {
  error: `expected at most ${CHANGES_MAX} rules`,
});

const Asked = z.strictObject({
  changes: z
    .array(
      z.strictObject({
        key: textOf(64).meta({ description: "section.name, such as limits.uv_imo" }),
        value: z.preprocess(asDouble, Value).meta({
          description:
            "a list as a text with commas; null takes the key out of the file: its default " +
            "counts",
        }),
        old: z
          .preprocess(asDouble, Shown)
          .optional()
          .meta({
            description:
              "the value that this replaces, as the answer of a dry run shows it: with another " +
              "one in the file nothing is changed (409)",
          }),
      }),
      `expected a list of objects with key and value`,
    )
    .max(CHANGES_MAX, `expected at most ${CHANGES_MAX} changes`)
    .default([]),
  rules: z
    .strictObject({ add: rules.default([]), remove: rules.default([]) })
    .default({ add: [], remove: [] })
    .meta({ description: "rules of the map to add, and to take out" }),
  check: z
    .boolean("expected true or false")
    .default(false)
    .meta({ description: "true: a dry run, nothing is written" }),
  restart: z
    .boolean("expected true or false")
    .default(false)
    .meta({ description: "true: ballastd starts again afterwards, if a change needs it" }),
});

/**
 * The changes that the service leaves in a file for its unit, which may write the configuration.
 */
export const LeftSettings = Asked.pick({ changes: true, rules: true });

/** The body of POST /admin/config. */
export const SettingsBody = Asked.refine(
  ({ changes, rules: { add, remove } }) => changes.length + add.length + remove.length > 0,
  { error: "expected at least one change", path: ["changes"] },
).meta({
  id: "Settings",
  example: { changes: [{ key: "system.vessel", value: "MV Example" }], check: true },
});

/** A rule of the map, as it is added and answered. */
export type WrittenRule = z.output<typeof Rule>;

export type SettingsBody = z.output<typeof SettingsBody>;

const LimitDoubt = z
  .object({
    code: z.enum(["uv_swapped", "uv_high", "uv_low", "flow_low", "capacity_high", "beyond_long"]),
    keys: z.array(z.string()),
    text: z.string(),
  })
  .meta({
    id: "LimitDoubt",
    example: {
      ...{ code: "uv_swapped", keys: ["limits.uv_imo", "limits.uv_uscg"] },
      text: "limits.uv_imo (530) is above limits.uv_uscg (252): are the two swapped?",
    },
  });

export type LimitDoubt = z.output<typeof LimitDoubt>;

export const SettingsAnswer = z
  .object({
    changes: z.array(z.object({ key: z.string(), old: Shown, new: Shown })).meta({
      description:
        "what differs from the file; a key without a line has its default. A rule of the map " +
        "is a line with the key map.rule, one that is taken out has it as its old value",
    }),
    doubts: z
      .array(LimitDoubt)
      .readonly()
      .meta({
        description:
          "unusual limits among those that change: they are taken, compare them with the " +
          "certificate first",
      }),
    stored: z.boolean().meta({
      description:
        "false after a dry run, or if nothing differs; where the service may not write the file, " +
        "the unit writes it at the restart",
    }),
    before: z.string().nullable().meta({ description: "the file as it was; null if not stored" }),
    restart: z
      .boolean()
      .meta({ description: "true if one of these keys counts only from the next start" }),
    restarting: z.boolean().meta({ description: "true if ballastd starts again now" }),
  })
  .meta({
    id: "SettingsAnswer",
    example: {
      changes: [{ key: "system.vessel", old: "", new: "MV Example" }],
      ...{ doubts: [], stored: false, before: null, restart: true, restarting: false },
    },
  });

export type SettingsAnswer = z.output<typeof SettingsAnswer>;

/** The answer of GET /admin/config. */
export const SettingsNow = z
  .object({
    file: z.string().nullable().meta({ description: "the configuration's file; null: none" }),
    writable: z.boolean().meta({ description: "false if settings can't be changed over HTTP" }),
    problem: z
      .string()
      .nullable()
      .meta({ description: "why it can't be changed, or why the last change wasn't taken" }),
    reasons: z
      .array(RefusalReasonShape)
      .meta({ description: "the same as codes, as far as there are" }),
    restarts: z
      .boolean()
      .meta({ description: "true if a change is written at a restart alone: ask for it with it" }),
    values: z
      .array(z.object({ key: z.string(), value: Shown, set: z.boolean() }))
      .meta({ description: "as the next start reads them; a list as a text with commas" }),
    rules: z.array(Rule).meta({
      description: "the rules of the map as the next start reads them",
    }),
    plc: z
      .object({
        mode: z.enum(["embedded", "client"]),
        addresses: z.array(z.string()).meta({
          description:
            "host:port, at which a PLC reaches the broker now: those of the LAN, else of this " +
            "machine alone; in client mode the ship's broker",
        }),
        is_lan: z.boolean().meta({ description: "false if no other machine can reach it" }),
        tls: z.boolean(),
        topic: z.string().meta({ description: "what every topic begins with" }),
        user: z.string().nullable(),
        password: z.boolean().meta({ description: "true if a password is asked for" }),
        problem: z.string().nullable().meta({ description: "why it can't be reached now" }),
      })
      .meta({ description: "what a PLC needs to reach it, as it runs" }),
    dashboard: z.array(z.string()).meta({
      description: "host:port of the dashboard on the LAN; empty if no other machine can open it",
    }),
  })
  .meta({
    id: "SettingsNow",
    example: {
      ...{
        file: "/etc/ballastd/ballastd.toml",
        writable: true,
        problem: null,
        reasons: [],
        restarts: false,
      },
      values: [{ key: "system.vessel", value: "MV Example", set: true }],
      rules: [],
      plc: {
        ...{ mode: "embedded", addresses: ["192.168.1.5:1883"], is_lan: true, tls: false },
        ...{ topic: "bwts/BWTS-001", user: "plc", password: true },
        problem: null,
      },
      dashboard: ["192.168.1.5:8080"],
    },
  });

export type SettingsNow = z.output<typeof SettingsNow>;

/** The answer of POST /admin/test-message. */
export const TestMessages = z
  .object({
    sent: z.array(
      z.object({
        address: z.string().meta({ description: "host:port" }),
        problem: z.string().nullable().meta({
          description:
            "why it wasn't acknowledged there; null: it was, and nothing is stored of it",
        }),
      }),
    ),
  })
  .meta({
    id: "TestMessages",
    example: { sent: [{ address: "192.168.1.5:1883", problem: null }] },
  });

export type TestMessages = z.output<typeof TestMessages>;

/** A change of the settings: done, or refused for its value, or for the state of the file. */
export type SettingsOutcome =
  | { readonly outcome: "done"; readonly answer: SettingsAnswer }
  | {
      readonly outcome: "value" | "file" | "busy";
      readonly problem: string;
      readonly reasons: readonly RefusalReason[];
    };

const SeenTag = z.object({
  tag: z.string().meta({ description: 'as a rule names it; "": the payload itself' }),
  value: z
    .union([z.string(), z.number(), z.boolean()])
    .meta({ description: "as it was sent; a long text is cut" }),
  field: z.string().nullable().meta({ description: "null for a tag that isn't known" }),
  problem: z.string().nullable().meta({ description: "why its value can't be taken" }),
});
export type SeenTag = z.output<typeof SeenTag>;

/** An item of GET /admin/messages: the tags of a topic's last messages. */
export const SeenTopic = z
  .object({
    topic: z.string(),
    is_own: z.boolean().meta({ description: "true: a rule without a topic counts on it" }),
    has_rules: z.boolean().meta({ description: "false, and not its own: nothing is taken in" }),
    received: z.iso.datetime(),
    tags: z.array(SeenTag).readonly(),
  })
  .meta({
    id: "SeenTopic",
    example: {
      ...{ topic: "plc/1", is_own: false, has_rules: false },
      received: "2026-05-01T06:30:00.000Z",
      tags: [{ tag: "PT101", value: 2.5, field: null, problem: null }],
    },
  });
export type SeenTopic = z.output<typeof SeenTopic>;
