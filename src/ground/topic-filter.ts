// MQTT topic filters, `+` for one level and `#` for all that follow: their validity, the topics
// they match, and the relation of two filters. Configuration, subscriptions and decoding use it.

/** Maximum length of a filter, in bytes. MQTT's limit is 65,535; nobody types that many. */
const LENGTH_MAX = 256;

/** The problem with a filter; null if there is none. `$` topics are never accepted. */
export function filterProblem(filter: string): string | null {
  const levels = filter.split("/");
  if (filter === "" || filter.length > LENGTH_MAX)
    return `expected a topic of 1 to ${LENGTH_MAX} characters`;
  if (filter.startsWith("$")) return "expected a topic that doesn't start with $";
  if (/[\p{Cc}\p{Cs}]/u.test(filter)) return "expected a topic without control characters";
  if (levels.some((level) => level.length > 1 && /[+#]/.test(level)))
    return "expected + and # to stand alone between slashes";
  if (levels.slice(0, -1).includes("#")) return "expected # at the end only";
  return null;
}

/** True if `filter` matches `topic`. */
export function filterMatches(filter: string, topic: string): boolean {
  return covers(filter.split("/"), topic.split("/"));
}

/** True if `filter` matches every topic that `other` matches. */
export function filterCovers(filter: string, other: string): boolean {
  return covers(filter.split("/"), other.split("/"));
}

/** True if some topic matches both. */
export function filtersOverlap(one: string, other: string): boolean {
  const [a, b] = [one.split("/"), other.split("/")];
  for (let level = 0; level < Math.max(a.length, b.length); level += 1) {
    if (a[level] === "#" || b[level] === "#") return true;
    // `a/#` matches `a` as well.
    if (a[level] === undefined || b[level] === undefined) return false;
    if (a[level] !== b[level] && a[level] !== "+" && b[level] !== "+") return false;
  }
  return true;
}

function covers(filter: readonly string[], levels: readonly string[]): boolean {
  for (const [index, level] of filter.entries()) {
    if (level === "#") return true;
    const other = levels[index];
    if (other === undefined || other === "#") return false;
    if (level !== "+" && level !== other) return false;
  }
  return filter.length === levels.length;
}
