// The schema of `/readyz`, which reports if the appliance can do its work: a supervisor reads the
// status, a person the reasons. A new appliance that waits for its first message is ready.

import * as z from "zod";
import { withoutPlaces } from "../ground/redaction.ts";

const instant = z.iso.datetime().nullable();

export const ReadinessAnswer = z
  .object({
    ready: z.boolean(),
    reasons: z.array(z.string()).meta({ description: "why it isn't ready; empty when it is" }),
    simulated: z.boolean().meta({ description: "the data is made up by ballastd demo" }),
    system: z.object({
      ...{ id: z.string(), vessel: z.string(), imo: z.string() },
      utc_offset: z.string().meta({
        description: "ship's time, such as +05:30, for people: every time here is UTC; else empty",
      }),
    }),
    limits: z.record(z.string(), z.union([z.number(), z.string()])).meta({
      description: "the ship's limits as configured, and where they come from (source)",
    }),
    last_reading: instant.meta({ description: "time of the newest reading, null without one" }),
    last_commit: instant.meta({ description: "when something was last stored" }),
    last_received_seconds_ago: z.number().nullable().meta({
      description: "since readings came last, whatever time they had; null before the first",
    }),
    mqtt: z.object({
      mode: z.enum(["embedded", "client"]),
      connected: z.boolean(),
      clients: z.number().int().min(0),
      where: z.string().meta({
        description: "listening addresses, or the broker's URL, for requests with a token",
      }),
      problem: z.string().nullable(),
      since: instant.meta({ description: "when connected last changed" }),
      session_lost: instant.meta({
        description: "when the ship's broker was found to have lost our session",
      }),
      login_refused: instant.meta({
        description:
          "newest login at the embedded broker with a wrong user name or password; null after a " +
          "right one from its address",
      }),
    }),
    disk: z.object({
      free_bytes: z.number().int().nullable(),
      problem: z.string().nullable(),
    }),
    not_stored: z.enum(["disk_full", "failing"]).nullable().meta({
      description:
        "why no message is stored; the PLC's connection is dropped meanwhile; null: they are",
    }),
    clock: z.object({
      now: z.iso.datetime(),
      trusted: z.boolean().meta({
        description: "false while it is earlier than this build or the newest receipt",
      }),
      problem: z.string().nullable().meta({ description: "why it isn't trusted" }),
    }),
    quarantining: z
      .object({
        since: z.iso.datetime().meta({ description: "receipt of the first one" }),
        messages: z.number().int(),
        reasons: z
          .array(z.object({ reason: z.string(), messages: z.number().int() }))
          .meta({ description: "the most frequent first" }),
        all: z.boolean().meta({ description: "no reading was received since the first one" }),
        problem: z.string().meta({ description: "the same in words, with what to do" }),
      })
      .nullable()
      .meta({ description: "live messages that are quarantined now; null if none are" }),
    plc_clock: z
      .object({
        off_seconds: z.number().meta({ description: "the PLC's clock less ballastd's" }),
        problem: z.string(),
        two_clocks: z.boolean().meta({
          description: "true if readings come in turn by two clocks, this one and a nearer one",
        }),
      })
      .nullable()
      .meta({
        description: "the PLC's clock if it is wrong by more than 5 minutes, or is one of two",
      }),
    damage: z
      .object({
        found: z.number().int().meta({ description: "how much is known to be damaged" }),
        problems: z.array(z.string()).meta({
          description: "the first 20, each with the readings that can't be answered any more",
        }),
        proven: instant.meta({
          description: "end of the last complete proof, null before the first in this run",
        }),
      })
      .meta({
        description: "damaged stored data; no reason against readiness",
      }),
    jobs: z
      .array(
        z.object({
          name: z.string().meta({ description: "such as seal, backup, retention, health, lamps" }),
          problem: z.string(),
          failing_seconds: z.number().int(),
          failures: z.number().int().meta({ description: "runs since the last that succeeded" }),
          last_success: instant.meta({ description: "null: none since the start" }),
        }),
      )
      .meta({ description: "work in the background that has failed for 15 seconds or longer" }),
    certificates: z
      .array(
        z.object({
          use: z.enum(["http", "mqtt", "sparkplug"]),
          ends: z.iso.datetime(),
          problem: z.string().nullable().meta({
            description: "a date, or files that can't be used; no reason for not being ready",
          }),
        }),
      )
      .meta({ description: "those that TLS is spoken with; empty without TLS" }),
  })
  .meta({
    id: "Readiness",
    example: {
      ready: true,
      reasons: [],
      simulated: false,
      system: { id: "BWTS-001", vessel: "Example", imo: "9074729", utc_offset: "+05:30" },
      limits: { uv_imo: 252, uv_uscg: 530, source: "type approval certificate" },
      last_reading: "2026-05-01T06:30:00.000Z",
      last_commit: "2026-05-01T06:30:00.000Z",
      last_received_seconds_ago: 3,
      mqtt: {
        ...{
          mode: "embedded",
          connected: true,
          clients: 1,
          where: "127.0.0.1:1883",
          problem: null,
        },
        ...{ since: "2026-05-01T06:00:00.000Z", session_lost: null, login_refused: null },
      },
      disk: { free_bytes: 17_179_869_184, problem: null },
      not_stored: null,
      clock: { now: "2026-05-01T06:30:00.000Z", trusted: true, problem: null },
      ...{ quarantining: null, plc_clock: null },
      damage: { found: 0, problems: [], proven: "2026-05-01T06:30:00.000Z" },
      jobs: [],
      certificates: [{ use: "http", ends: "2026-05-01T06:30:00.000Z", problem: null }],
    },
  });

export type Readiness = z.output<typeof ReadinessAnswer>;

/**
 * `readiness` for requests without a token: without paths of files and the address of the ship's
 * broker.
 */
export function shownToStrangers(readiness: Readiness): Readiness {
  const { mqtt, reasons } = readiness;
  const broker = mqtt.mode === "client" ? mqtt.where : "";
  const clean = (text: string) => withoutPlaces(text, broker);
  const shown: Readiness = JSON.parse(JSON.stringify(readiness), (name, value) =>
    name === "problem" && typeof value === "string" ? clean(value) : value,
  );
  const where = mqtt.mode === "client" ? "" : mqtt.where;
  return { ...shown, reasons: reasons.map(clean), mqtt: { ...shown.mqtt, where } };
}
