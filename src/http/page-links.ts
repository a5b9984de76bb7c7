// The Link header of an answer that is a page of a longer list (RFC 8288): where the pages before
// and after it are. A target is the query alone, which a client resolves against the address that
// it asked: a proxy may put a path before ours.

/** A page: `limit` records after the first `offset` of `total`. */
export interface ListPage {
  readonly offset: number;
  readonly limit: number;
  readonly total: number;
}

/**
 * The header for a page that was asked for with `query`; null where there is no other page. Pages
 * before this one end where it begins, so that walking back shows no record twice.
 */
export function pageLinks({ offset, limit, total }: ListPage, query: string): string | null {
  const link = (rel: string, at: number, length: number) => {
    const parameters = new URLSearchParams(query);
    parameters.set("offset", String(at));
    parameters.set("limit", String(length));
    return `<?${parameters}>; rel="${rel}"`;
  };
  const before = Math.min(offset, total);
  const links = [
    ...(offset > 0 ? [link("first", 0, limit)] : []),
    ...(before > 0 ? [link("prev", Math.max(0, before - limit), Math.min(limit, before))] : []),
    ...(offset + limit < total ? [link("next", offset + limit, limit)] : []),
  ];
  return links.length === 0 ? null : links.join(", ");
}
