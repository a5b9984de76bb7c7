// The file that joins a ship to a fleet: written by `ballastd fleet add`, carried aboard, read
// there. It holds the ship's private key, so its mode is 0600, and it is deleted once it was read.

import * as z from "zod";
import { isPlainLine, PLAIN_EXPECTED } from "../../ground/plain-text.ts";
import { isImoNumber } from "./imo-number.ts";

const pin = z
  .string()
  .regex(/^sha256\/\/[\w+/]{43}=$/, "expected sha256// and 44 characters of Base64");

export const ShoreFile = z.strictObject({
  format: z.literal(1),
  ship: z.string().refine(isImoNumber, "expected an IMO number"),
  name: z.string().min(1).max(100).refine(isPlainLine, PLAIN_EXPECTED),
  urls: z
    .array(z.url({ protocol: /^postgres(ql)?$/ }))
    .min(1)
    .max(8)
    .meta({
      description: "tried in turn; the user in them is the role of this key",
    }),
  certificate: z.string().meta({ description: "PEM" }),
  key: z.string().meta({ description: "PEM" }),
  key_pin: pin.meta({
    description: "SHA-256 of the server's public key (SubjectPublicKeyInfo), as curl takes it",
  }),
  objects: z
    .strictObject({
      url: z.url({ protocol: /^https?$/ }),
      key: z.string().meta({ description: "in the form of AWS's credentials file" }),
      pin: pin.optional(),
    })
    .optional()
    .meta({ description: "the store to which the ship's readings go, in her own folder" }),
});
export type ShoreFile = z.output<typeof ShoreFile>;
