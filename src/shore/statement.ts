// The statements that a ship may send, each a call of one of the office's six functions. Bytes are
// separate parameters: within an array they would be sent as text, at twice the length.

import type { DocumentKind } from "../bwts/documents/document.ts";
import { readAsset } from "../ground/assets.ts";
import { exactJson } from "../ground/exact-json.ts";
import { statementsIn } from "../ground/statements.ts";
import type { ShoreLink } from "../sqlite/exchange/shore-links.ts";

export type ShoreStatement = {
  readonly kind: "link" | "payload" | "object" | "document";
  /** Arguments of the function, after the instance number. */
  readonly values: readonly (string | number | Uint8Array | null)[];
};

/**
 * Names of the prepared statements, one for each call; the server keeps them for the connection.
 */
const NAMES = {
  ...{ link: "l", payload: "p", object: "o", document: "d" },
  ...{ hello: "h", lost_segment: "s" },
};

/** A statement of sql/office/ship.sql, which the server parses once for each connection. */
export function sqlOf(kind: keyof typeof NAMES, values: readonly unknown[]) {
  texts ??= statementsIn(readAsset("sql/office/ship.sql").toString());
  const text = texts.get(`ship.${kind}`);
  if (text === undefined) throw new Error(`statement ship.${kind}: not in sql/office/ship.sql`);
  return {
    ...{ name: NAMES[kind], text },
    values: values.map((value) => (value instanceof Uint8Array ? Buffer.from(value) : value)),
  };
}

let texts: ReadonlyMap<string, string> | null = null;

export function linkStatement(link: ShoreLink): ShoreStatement {
  const { chain, number, previous, hash, body, digest, payload } = link;
  return { kind: "link", values: [chain, number, previous, hash, body, digest, payload] };
}

export function payloadStatement(
  number: number,
  { hash, payload }: { readonly hash: Uint8Array; readonly payload: Uint8Array },
): ShoreStatement {
  return { kind: "payload", values: ["segment", number, hash, payload] };
}

/** Reports that the office's store has the payload of a segment. */
export function objectStatement(number: number, hash: Uint8Array): ShoreStatement {
  return { kind: "object", values: [number, hash] };
}

export function documentStatement(
  kind: DocumentKind,
  {
    key,
    body,
    revision,
  }: { readonly key: string; readonly body: object; readonly revision: number },
): ShoreStatement {
  return { kind: "document", values: [kind, key, revision, storable(exactJson(body))] };
}

/**
 * The JSON with characters replaced that PostgreSQL's jsonb can't hold: zero, and half a surrogate
 * pair.
 */
function storable(json: string): string {
  return json.replace(/\\\\|\\u(?:0000|d[89a-f]..)/gi, (found) =>
    found.length === 2 ? found : "\\ufffd",
  );
}

/** Approximate length of a statement's framing and names. */
const FRAME_BYTES = 90;

/** Approximate length of a statement on the line. */
export function bytesOf({ values }: ShoreStatement): number {
  const sizes = values.map((value) =>
    value instanceof Uint8Array ? value.length : Buffer.byteLength(`${value ?? ""}`),
  );
  return sizes.reduce((sum, size) => sum + size, FRAME_BYTES);
}
