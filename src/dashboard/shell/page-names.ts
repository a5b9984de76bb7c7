// The names of the pages in the order and groups of the rail: the address of each, `#/trends`, the
// key of its title, and by its place the digit that leads to it.

export const PAGE_GROUPS = [
  ["now", ["overview", "alerts", "lamps"]],
  ["history", ["trends", "operations", "health", "handover"]],
  ["papers", ["record-book", "inspection", "export"]],
  [null, ["system"]],
] as const;

export type PageName = (typeof PAGE_GROUPS)[number][1][number];

export const PAGE_NAMES: readonly PageName[] = PAGE_GROUPS.flatMap(([, names]) => [...names]);

/** The pages that a thumb reaches on a telephone, from the left; the others are under "More". */
export const FIRST_PAGES: readonly PageName[] = ["overview", "trends", "lamps", "alerts"];

export function isPageName(name: string): name is PageName {
  return PAGE_NAMES.some((known) => known === name);
}
