// The head of a bundle: the ship and the box that made it, and when. The office accepts the rest of
// the bundle as that ship's, by the seal made with the certificate's key.

import * as z from "zod";
import { isPlainLine, PLAIN_EXPECTED } from "../../ground/plain-text.ts";

export const BundleHead = z.object({
  /** Role with which the ship logs in ashore; the certificate is for this role. */
  role: z.string().min(1).max(63).refine(isPlainLine, PLAIN_EXPECTED),
  instance: z.uuid(),
  version: z.string().min(1).max(64).refine(isPlainLine, PLAIN_EXPECTED),
  /** Time of making by the box's clock. */
  made_ms: z.number().int().min(0).max(8.64e15),
  /** Revision after which hours are included. */
  hours_after: z.number().int().min(0),
  certificate: z.string(),
});
export type BundleHead = z.output<typeof BundleHead>;

/** The head, checked. Throws an Error that names the first fault. */
export function readBundleHead(given: unknown): BundleHead {
  const { data, error } = BundleHead.safeParse(given);
  if (data !== undefined) return data;
  const { path, message } = error.issues[0];
  throw new Error(`its head can't be read: ${path.join(".")}: ${message}`);
}
