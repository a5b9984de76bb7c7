// A raw request and how it is written: what no client library would send is what most needs trying.

/** Bytes written on one connection. */
export interface RawRequest {
  /** A part of the bytes by which a person knows it, on one line. */
  readonly label: string;
  readonly bytes: string;
  /** The client ends its half right behind the bytes, which break off. */
  readonly breaksOff: boolean;
}

export const HOST = "Host: ship";
export const CLOSE = "Connection: close";
export const JSON_BODY = "Content-Type: application/json";

/** A request of one line and headers, which closes the connection. */
export function ask(line: string, headers: readonly string[] = [], body = ""): RawRequest {
  return raw([`${line} HTTP/1.1`, HOST, CLOSE, ...headers, "", body].join("\r\n"));
}

export function raw(bytes: string, { breaksOff = false, label = labelOf(bytes) } = {}): RawRequest {
  return { label: breaksOff ? `${label} (breaks off)` : label, bytes, breaksOff };
}

function labelOf(bytes: string): string {
  const line = bytes
    .replace(/^(Host: ship|Connection: close)\r\n/gm, "")
    .replaceAll(/ HTTP\/1.1(?=\r\n)/g, "")
    .replaceAll("\r\n", " | ")
    .replace(/(.)\1{40,}/g, (run, one: string) => `${one}{${run.length}}`);
  const plain = JSON.stringify(line).slice(1, -1).replaceAll("\x7f", "\\x7f");
  const cut = plain.length > 160 ? `${plain.slice(0, 160)}…` : plain;
  return cut.replace(/( \| )+$/, "");
}

/** A request with a JSON body. */
export function post(target: string, body: string, headers: readonly string[]): RawRequest {
  return ask(`POST ${target}`, [JSON_BODY, `Content-Length: ${body.length}`, ...headers], body);
}

export const bearer = (token: string) => `Authorization: Bearer ${token}`;
