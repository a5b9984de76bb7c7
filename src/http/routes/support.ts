// The route of the support archive: the file that `ballastd support` writes aboard, for people who
// aren't at the PC. It contains no secret, no reading and no payload, but the ship's name and its
// addresses.

import * as z from "zod";
import { reason } from "../../ground/reasons.ts";
import { Refusal } from "../refusal.ts";
import { BODILESS, route } from "../route.ts";

export const SUPPORT_ROUTE = route({
  path: "/admin/support",
  operation: "getSupport",
  group: "admin",
  access: "engineer",
  summary: "The ZIP archive of `ballastd support`, one at a time: all that helps to find a fault",
  answer: z.string().meta({ format: "binary", example: "PK" }),
  type: "application/zip",
  errors: [409, 503],
  handle({ request, response, by }, context) {
    const now = context.clock().now;
    const name = `ballastd-${context.readiness().system.id}-support-${now.slice(0, 19)}.zip`;
    const headers = {
      "Content-Disposition": `attachment; filename="${name.replace(/[^A-Za-z0-9._-]/g, "_")}"`,
    };
    const type = "application/zip";
    if (request.method === "HEAD") return { ...BODILESS, type, headers };
    const made = context.support();
    if (made === null)
      throw new Refusal(409, "an archive is being made already, expected its end first", {}, [
        reason("task_running", {}),
      ]);
    response.once("close", made.cancel);
    const detail = { what: "support", format: "zip" };
    context.note({ ...by, kind: "export", detail, fold: JSON.stringify(detail) });
    return { kind: "chunks", chunks: made.chunks, type, headers };
  },
});
