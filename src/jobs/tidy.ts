// Once a day the write-ahead log is emptied into the database: a log that readers kept from being
// reset would otherwise grow, and nobody aboard would notice.

import type { JobTools } from "./job.ts";

export async function tidyDatabase({ writer }: JobTools): Promise<string> {
  await writer.call("tidy");
  return "write-ahead log emptied";
}
