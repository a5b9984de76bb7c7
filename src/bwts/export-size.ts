// The size of an exported file before its download: number of lines, and bytes, estimated from the
// lengths of a sample of the lines.

import * as z from "zod";

export const ExportSize = z
  .object({
    rows: z.number().int().min(0).meta({ description: "lines of the file, without a header" }),
    bytes: z.number().int().min(0).meta({ description: "uncompressed, the header included" }),
    exact: z.boolean().meta({ description: "true if every line was measured" }),
    measured_rows: z.number().int().min(0).meta({
      description:
        "lines that were measured, spread evenly over the file; `bytes` follows from them",
    }),
  })
  .meta({
    id: "ExportSize",
    example: { rows: 350_640, bytes: 412_000_000, exact: false, measured_rows: 512 },
  });
export type ExportSize = z.output<typeof ExportSize>;
