// The token that this page shows, where auth.monitoring asks for one. It lives in this page's
// memory and nowhere else: not in a URL, a cookie or the browser's storage, so a reload asks again.

let token: string | null = null;
const listeners: (() => void)[] = [];

/** True if a token was given, and not refused since. */
export function hasToken(): boolean {
  return token !== null;
}

/** The header that goes with each request; none without a token. */
export function authorization(): Record<string, string> {
  return token === null ? {} : { Authorization: `Bearer ${token}` };
}

/** Takes what was typed, null to forget it. */
export function setToken(given: string | null): void {
  token = given;
  if (given !== null) for (const listener of listeners) listener();
}

/** Calls `listener` when a token was given. */
export function onToken(listener: () => void): void {
  listeners.push(listener);
}

/** Saves what is at `path` as a file: a link would be followed without the token. */
export async function save(path: string): Promise<void> {
  const answer = await fetch(path.slice(1), { headers: authorization(), cache: "no-store" });
  const url = URL.createObjectURL(await answer.blob());
  const link = document.createElement("a");
  link.href = url;
  link.download = path.slice(1).replace(/\W+/g, "-");
  link.click();
  URL.revokeObjectURL(url);
}
