// The place of a page in the whole list: `total` counts all of it, so that a client knows how much
// is left.

import * as z from "zod";

const count = z.number().int().min(0);

export const Pagination = z
  .object({
    offset: count.meta({ description: "records skipped" }),
    limit: count.meta({ description: "page size asked for" }),
    total: count.meta({ description: "records in the whole range" }),
    hasMore: z.boolean().meta({ description: "whether more follow after this page" }),
  })
  .meta({ example: { offset: 0, limit: 100, total: 1, hasMore: false } });
