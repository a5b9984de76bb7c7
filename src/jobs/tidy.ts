// Once a day the write-ahead log is emptied into the database: one that readers kept from being
// reset would otherwise grow with nobody aboard to see it.

import type { JobTools } from "./job.ts";

export async function tidyDatabase({ writer }: JobTools): Promise<string> {
  await writer.tidy();
  return "write-ahead log emptied";
}
