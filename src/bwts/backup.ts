// The answer to a backup requested over HTTP. The file stays aboard, in the configured folder,
// because it contains the tokens.

import * as z from "zod";

export const BackupResult = z
  .object({
    file: z.string().meta({ description: "its name in backup.dir" }),
    bytes: z.number().int(),
    sha256: z.string().meta({ description: "kept elsewhere, it proves the file at a restore" }),
    damage: z.string().nullable().meta({ description: "of the stored data; null: it is sound" }),
  })
  .meta({
    id: "BackupMade",
    example: {
      ...{ file: "ballastd-BWTS-001-20260501T063000Z.db", bytes: 61_000_000, damage: null },
      sha256: "5b2c1e7f0d94a36881c0f7e9b3d26a4f5b2c1e7f0d94a36881c0f7e9b3d26a4f",
    },
  });
export type BackupResult = z.output<typeof BackupResult>;
