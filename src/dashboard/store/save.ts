// Saves files: an answer of ballastd, or data of the page. The browser asks for the place, as for
// any download.

import { authorization } from "./token.ts";

const KEPT_MS = 60_000;

/** Saves the answer at `path` as a file; a link would be followed without the token. */
export async function save(path: string): Promise<void> {
  const answer = await fetch(path.slice(1), { headers: authorization(path), cache: "no-store" });
  saveBlob(await answer.blob(), path.slice(1).replace(/\W+/g, "-"));
}

/** Downloads `blob` as a file named `name`. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Safari reads the URL only after this turn.
  window.setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
