// Walks from page to page by the Link headers of answers, as a client does that knows no
// parameters.

/** The data of the page at `url`, and of those to which `rel` leads from there. */
export async function walked<Item>(
  url: string,
  rel: "first" | "prev" | "next",
  options: RequestInit = {},
): Promise<readonly (readonly Item[])[]> {
  const answer = await fetch(url, options);
  if (answer.status !== 200) throw new Error(`${url}: ${answer.status}, expected 200`);
  const { data }: { data: readonly Item[] } = await answer.json();
  const links = answer.headers.get("link") ?? "";
  const [, target] = new RegExp(`<([^>]*)>; rel="${rel}"`).exec(links) ?? [];
  if (target === undefined) return [data];
  return [data, ...(await walked<Item>(new URL(target, url).href, rel, options))];
}
