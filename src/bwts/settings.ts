// Keys of the configuration that are changed over HTTP: those about the ship, its certificate and
// its lamps. Hosts, files and secrets stay with the command line aboard.

import * as z from "zod";

const Value = z.union([z.string().max(256), z.number(), z.boolean(), z.null()], {
  error: "expected a text, a number, true, false or null",
});

const CHANGES_MAX = 64;

/** The body of POST /admin/config. */
export const SettingsBody = z
  .object({
    changes: z
      .array(
        z.object({
          key: z.string().max(64).meta({ description: "section.name, such as limits.uv_imo" }),
          value: z
            .preprocess((given) => (typeof given === "bigint" ? Number(given) : given), Value)
            .meta({ description: "null takes the key out of the file: its default counts" }),
        }),
        `expected a list of objects with key and value`,
      )
      .min(1, "expected at least one change")
      .max(CHANGES_MAX, `expected at most ${CHANGES_MAX} changes`),
    check: z
      .boolean("expected true or false")
      .default(false)
      .meta({ description: "true: a dry run, nothing is written" }),
  })
  .meta({
    id: "Settings",
    example: { changes: [{ key: "system.vessel", value: "MV Example" }], check: true },
  });

export type SettingsBody = z.output<typeof SettingsBody>;

const Shown = z.union([z.string(), z.number(), z.boolean()]);

export const SettingsAnswer = z
  .object({
    changes: z
      .array(z.object({ key: z.string(), old: Shown, new: Shown }))
      .meta({ description: "what differs from the file; a key without a line has its default" }),
    stored: z.boolean().meta({ description: "false after a dry run, or if nothing differs" }),
    before: z.string().nullable().meta({ description: "the file as it was; null if not stored" }),
    restart: z
      .boolean()
      .meta({ description: "true if one of these keys counts only from the next start" }),
  })
  .meta({
    id: "SettingsAnswer",
    example: {
      changes: [{ key: "system.vessel", old: "", new: "MV Example" }],
      ...{ stored: false, before: null, restart: true },
    },
  });

export type SettingsAnswer = z.output<typeof SettingsAnswer>;

/** A change of the settings: done, or refused for its value, or for the state of the file. */
export type SettingsOutcome =
  | { readonly outcome: "done"; readonly answer: SettingsAnswer }
  | { readonly outcome: "value" | "file" | "busy"; readonly problem: string };
