// The file that joins a ship to a fleet: written by `ballastd fleet add`, carried aboard, read
// there. It holds the ship's private key: mode 0600, and deleted when it has been read.

import * as z from "zod";
import { isImoNumber } from "./imo-number.ts";

export const ShoreFile = z.strictObject({
  format: z.literal(1),
  ship: z.string().refine(isImoNumber, "expected an IMO number"),
  name: z.string().min(1).max(100),
  urls: z
    .array(z.url({ protocol: /^postgres(ql)?$/ }))
    .min(1)
    .max(8)
    .meta({
      description: "tried in turn; the user in them is the role of this key",
    }),
  certificate: z.string().meta({ description: "PEM" }),
  key: z.string().meta({ description: "PEM" }),
  key_pin: z
    .string()
    .regex(/^sha256\/\/[\w+/]{43}=$/, "expected sha256// and 44 characters of Base64")
    .meta({
      description: "SHA-256 of the server's public key (SubjectPublicKeyInfo), as curl takes it",
    }),
});
export type ShoreFile = z.output<typeof ShoreFile>;
