// The link to the shore as GET /api/shore and `ballastd shore status` report it: the session, the
// backlog, the bytes used, refusals and forks.

import * as z from "zod";

const count = z.number().int().min(0);
const time = z.iso.datetime().nullable();

const Usage = z.object({ sent_bytes: count, received_bytes: count, sessions: count });

export const ShoreAnswer = z
  .object({
    state: z.enum(["off", "connecting", "connected", "waiting", "refused"]).meta({
      description:
        "off: no shore.url is set; waiting: for the next attempt; refused: the shore doesn't " +
        "take the ship's key, which is tried again each hour",
    }),
    problem: z.string().nullable().meta({ description: "why there is no session" }),
    server: z.string().nullable().meta({ description: "the last one tried, host:port" }),
    instance: z.string().nullable().meta({ description: "this box's number" }),
    last_answer: time.meta({ description: "of the shore, by the box's clock" }),
    raw: z.enum(["always", "asked", "never"]),
    backlog: z
      .object({
        links: count.meta({ description: "of the three chains, that aren't ashore" }),
        payloads: count.meta({ description: "of segments whose links are ashore" }),
        hours: count.meta({ description: "that changed since they were told" }),
        bytes: count.meta({ description: "of links and payloads" }),
        oldest: time,
        minutes_left: z.number().nullable().meta({
          description: "at the rate measured; null before it is known",
        }),
      })
      .nullable()
      .meta({ description: "as far as the shore has told what it has" }),
    round_trip_ms: z.number().nullable(),
    bytes_per_second: z.number().nullable().meta({ description: "measured while sending" }),
    clock_offset_seconds: z.number().nullable().meta({
      description: "the shore's clock less the box's, at the last hello",
    }),
    budget_used_up: z.boolean().meta({
      description:
        "until midnight UTC only alerts, events, the ledger's documents and reports go: " +
        "shore.max_mb_day",
    }),
    today: Usage.meta({ description: "bytes on the line, TLS included" }),
    month: Usage,
    objects: z
      .object({
        server: z.string().nullable(),
        problem: z.string().nullable().meta({ description: "why the store takes nothing now" }),
      })
      .nullable()
      .meta({ description: "the store to which readings go; null: they go to the server" }),
    needs_schema: z.boolean().meta({
      description:
        "true if the shore's schema is of an older ballastd and takes no signed heads and " +
        "verdicts: there `ballastd fleet schema | psql` mends it",
    }),
    refused: z.array(z.object({ what: z.string(), reason: z.string() })).meta({
      description: "what the shore doesn't take: its chain waits, all others go on",
    }),
    parted: z
      .array(z.object({ chain: z.enum(["segment", "event", "audit"]), common: count, head: count }))
      .meta({
        description:
          "chains of which the shore has links beyond a common one, which this box hasn't: " +
          "it was put back from a backup, or another box uses the ship's key",
      }),
    others: z
      .array(
        z.object({
          instance: z.string(),
          version: z.string(),
          address: z.string().nullable(),
          last_seen: z.iso.datetime(),
        }),
      )
      .meta({
        description:
          "other boxes that spoke for this ship within a day; this box's own number, if the " +
          "shore has what it never said",
      }),
  })
  .meta({
    id: "Shore",
    example: {
      state: "connected",
      problem: null,
      server: "fleet.example.com:5432",
      instance: "0f1e2d3c-4b5a-4978-8695-a4b3c2d1e0f1",
      last_answer: "2026-05-01T06:30:00.000Z",
      raw: "always",
      backlog: {
        ...{ links: 0, payloads: 12, hours: 0, bytes: 708_000 },
        ...{ oldest: "2026-04-30T22:00:00.000Z", minutes_left: 1.5 },
      },
      round_trip_ms: 612,
      bytes_per_second: 7900,
      clock_offset_seconds: -0.4,
      budget_used_up: false,
      today: { sent_bytes: 1_204_000, received_bytes: 31_000, sessions: 1 },
      month: { sent_bytes: 1_204_000, received_bytes: 31_000, sessions: 1 },
      objects: null,
      needs_schema: false,
      refused: [],
      parted: [],
      others: [],
    },
  });
export type ShoreAnswer = z.output<typeof ShoreAnswer>;

/** The answer for a client without a token: without addresses. */
export function shoreToStrangers(told: ShoreAnswer): ShoreAnswer {
  const others = told.others.map((other) => ({
    ...{ ...other, address: null },
    instance: other.instance === told.instance ? "" : other.instance,
  }));
  const objects = told.objects && { ...told.objects, server: null };
  return { ...told, ...{ server: null, instance: null, objects, others } };
}
