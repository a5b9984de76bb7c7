// Removes file paths and the ship's broker's address from the text of a problem, for readers
// without a login. The problem itself stays in the text.

import { isIP } from "node:net";

const URLS = /\b[a-z][a-z0-9+.-]*:\/\/[^\s'"]+/gi;
const QUOTED_PATHS = /(['"])(?:~|\.{1,2})?\/(?:(?!\1).)*\1/g;
// File paths, also with blanks, as in /mnt/My Disk/key.pem.
const PATHS = /(?<![\w.)])(?:~|\.{1,2})?\/[^\s'",;:)]+(?: [^\s'",;:)/]+(?:\/[^\s'",;:)]+)+)*/g;
/** Address of the other end in Node's message: `connect ECONNREFUSED 10.0.0.5:1883`. */
const OTHER_END = /\b(E[A-Z]{4,}|EAI_[A-Z]+) [^\s,;]*[.:][^\s,;]*/g;

/** Names and addresses of a certificate, and the expected one, in Node's message. */
const CERTIFIED = /(certificate's altnames): [^()]*(?=$| \()/g;

/** `text` without paths and addresses; `broker` is the URL of the ship's broker, "" for none. */
export function withoutPlaces(text: string, broker = ""): string {
  const { host = "", hostname = "" } = URL.canParse(broker) ? new URL(broker) : {};
  return [broker, host, ...(isIP(hostname) || hostname.includes(".") ? [hostname] : [])]
    .filter((place) => place !== "")
    .reduce((rest, place) => rest.replaceAll(place, "(broker)"), text.replace(CERTIFIED, "$1"))
    .replace(URLS, "(address)")
    .replace(QUOTED_PATHS, "(file)")
    .replace(PATHS, "(file)")
    .replace(OTHER_END, "$1");
}
