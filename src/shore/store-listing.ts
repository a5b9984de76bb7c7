// A store's lists, read page by page from its XML. An answer counts only if it is such a list:
// otherwise the page of a hotel's network or of a proxy would pass for an empty bucket.

export type ObjectQuery = Readonly<Record<string, string>>;

/** Maximum number of names in a list, and of its pages; no fleet comes near. */
const NAMES_MAX = 1_000_000;
const PAGES_MAX = 10_000;
const ENDLESS = "the store's list has no end";

/** Requests a page of a list from the bucket. */
type AskPage = (query: ObjectQuery) => Promise<Buffer>;

/** All names with this beginning. */
export async function listNames(ask: AskPage, beginning: string): Promise<readonly string[]> {
  const query = { "list-type": "2", "encoding-type": "url", prefix: beginning };
  const names: string[] = [];
  for await (const page of pages(ask, { root: "ListBucketResult", query, next: NEXT_NAMES }))
    for (const [, key] of page.matchAll(/<Key>([^<]*)<\/Key>/g)) add(names, decoded(key));
  return names;
}

/** Ids of an object's versions, the newest first. */
export async function listVersions(ask: AskPage, name: string): Promise<readonly string[]> {
  const query = { versions: "", prefix: name };
  const ids: string[] = [];
  // Each part of the text, after the first, begins with one version.
  for await (const page of pages(ask, { root: "ListVersionsResult", query, next: NEXT_VERSIONS }))
    for (const version of page.split("<Version>").slice(1)) {
      const id = textIn(version, "VersionId");
      if (id !== null && textIn(version, "Key") === name) add(ids, id);
    }
  return ids;
}

function add(names: string[], name: string): void {
  if (names.length === NAMES_MAX) throw new Error(ENDLESS);
  names.push(name);
}

/** Parameters of the next page, each with the element that has its value. */
const NEXT_NAMES: ObjectQuery = { "continuation-token": "NextContinuationToken" };
const NEXT_VERSIONS: ObjectQuery = {
  "key-marker": "NextKeyMarker",
  "version-id-marker": "NextVersionIdMarker",
};

interface Listing {
  /** Name of the root element. */
  readonly root: string;
  readonly query: ObjectQuery;
  readonly next: ObjectQuery;
}

async function* pages(ask: AskPage, { root, query, next }: Listing): AsyncGenerator<string> {
  let left = PAGES_MAX;
  for (let from: ObjectQuery | null = {}; from !== null; left -= 1) {
    if (left === 0) throw new Error(ENDLESS);
    const page = (await ask({ ...query, ...from })).toString();
    if (!page.includes(`<${root}`)) throw new Error("the store's answer isn't a list of S3");
    yield page;
    const told: readonly (readonly [string, string])[] = Object.entries(next).flatMap(
      ([parameter, element]) => {
        const text = textIn(page, element) ?? "";
        return text === "" ? [] : [[parameter, text] as const];
      },
    );
    const after: ObjectQuery = Object.fromEntries(told);
    if (told.length > 0 && JSON.stringify(after) === JSON.stringify(from))
      throw new Error("the store's list doesn't go on");
    from = told.length === 0 ? null : after;
  }
}

function decoded(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    throw new Error("the store's list has a name that can't be read");
  }
}

/** The text of an element. Our names and ids contain no other escaped characters than these. */
export function textIn(xml: string, element: string): string | null {
  const found = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1] ?? null;
  return found?.replace(/&quot;/g, '"').replace(/&amp;/g, "&") ?? null;
}
