// The audit log over HTTP: newest first, a page at a time. A reader's thread makes the answers;
// this file defines the parameters.

import * as z from "zod";
import { AUDIT_KINDS } from "../../bwts/audit.ts";
import { dates, integerParameter, limitParameter, OFFSET_MAX, rangeOf } from "../parameters.ts";
import { type Asked, ask, type HttpContext, type Reply } from "../route.ts";

export const AuditQuery = z.object({
  offset: integerParameter({ min: 0, max: OFFSET_MAX, fallback: 0, about: "entries to skip" }),
  limit: limitParameter(100),
  ...dates,
  kind: z
    .enum(AUDIT_KINDS, `expected ${AUDIT_KINDS.slice(0, -1).join(", ")} or ${AUDIT_KINDS.at(-1)}`)
    .optional()
    .meta({ description: "only entries of this kind" }),
});

export function auditLog(
  { query }: Asked<z.output<typeof AuditQuery>>,
  context: HttpContext,
): Promise<Reply> {
  const { offset, limit, kind = null } = query;
  return ask(context, { name: "audit", range: rangeOf(query), kind, offset, limit });
}
