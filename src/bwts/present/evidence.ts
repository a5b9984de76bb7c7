// The answer of /api/evidence: the stored data from which a number of the page is derived. An
// instant may be stored twice, sealed and again with late fields: then answers show the later one.

import * as z from "zod";
import { TelemetryReading } from "../telemetry.ts";

const hash = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({ description: "SHA-256" });

export const EvidenceAnswer = z
  .object({
    timestamp: z.iso.datetime().meta({ description: "by the plant's clock" }),
    hidden: z
      .object({ reason: z.string(), since: z.iso.datetime() })
      .nullable()
      .meta({ description: "the void that hides it from all other answers" }),
    readings: z
      .array(
        z.object({
          stored: z.enum(["hot", "sealed"]).meta({
            description: "hot: not sealed yet, so no chain proves it; it is within hours",
          }),
          counts: z
            .boolean()
            .meta({ description: "false: a later one of this instant replaces it" }),
          received_at: z.iso.datetime().meta({ description: "by ballastd's clock" }),
          clock_trusted: z.boolean(),
          segment: z
            .object({
              number: z.number().int().min(1),
              hash: hash.meta({ description: "of the chain, which the next segment goes on from" }),
              root: hash.meta({ description: "Merkle root (RFC 6962) over its rows" }),
              rows: z.number().int().min(1),
              row: z.number().int().min(0).meta({ description: "of this reading, from 0" }),
              leaf: hash.meta({ description: "of this row, of which the root is made" }),
            })
            .nullable()
            .meta({ description: "null while it is hot" }),
          values: TelemetryReading,
          not_believed: z.array(z.string()).meta({
            description: "fields of values that aren't plausible, or of bad quality",
          }),
        }),
      )
      .min(1)
      .meta({ description: "the one that counts first" }),
  })
  .meta({
    id: "Evidence",
    example: {
      timestamp: "2026-05-01T06:30:00.000Z",
      hidden: null,
      readings: [
        {
          ...{ stored: "sealed", counts: true },
          ...{ received_at: "2026-05-01T06:30:01.400Z", clock_trusted: true },
          segment: {
            ...{ number: 171, hash: "5f".repeat(32), root: "a0".repeat(32), rows: 2048 },
            ...{ row: 1250, leaf: "c3".repeat(32) },
          },
          values: TelemetryReading.meta()?.example,
          not_believed: [],
        },
      ],
    },
  });
export type EvidenceAnswer = z.output<typeof EvidenceAnswer>;
