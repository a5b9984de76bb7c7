// The head of a bundle: the ship and the box that made it, and when. The office takes what follows
// as that ship's, by the seal that the certificate's key made.

import * as z from "zod";

export const BundleHead = z.object({
  /** By which the ship logs in ashore; the certificate is this role's. */
  role: z.string().min(1).max(63),
  instance: z.uuid(),
  version: z.string().min(1).max(64),
  /** By the box's clock. */
  made_ms: z.number().int().min(0).max(8.64e15),
  /** Its hours are those behind this revision. */
  hours_after: z.number().int().min(0),
  certificate: z.string(),
});
export type BundleHead = z.output<typeof BundleHead>;
