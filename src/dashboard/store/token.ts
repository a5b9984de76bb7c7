// The page's token, if auth.monitoring requires one. It is kept in memory only, not in a URL, a
// cookie or the browser's storage, so a reload asks again.

let token: string | null = null;
const listeners: (() => void)[] = [];

/** True after a token was given, and while it isn't refused. */
export function hasToken(): boolean {
  return token !== null;
}

/** The header for each request; none without a token. */
export function authorization(): Record<string, string> {
  return token === null ? {} : { Authorization: `Bearer ${token}` };
}

/** Sets the typed token, null to forget it. */
export function setToken(given: string | null): void {
  token = given;
  if (given !== null) for (const listener of listeners) listener();
}

/** Calls `listener` after a token was given. */
export function onToken(listener: () => void): void {
  listeners.push(listener);
}

/** Saves the answer at `path` as a file, because a link would be followed without the token. */
export async function save(path: string): Promise<void> {
  const answer = await fetch(path.slice(1), { headers: authorization(), cache: "no-store" });
  saveBlob(await answer.blob(), path.slice(1).replace(/\W+/g, "-"));
}

/** Has the browser save what the page holds. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
