// The names of the pages, in the order and groups of the rail. A name gives the address, such as
// `#/trends`, and the key of the title; its position gives the digit that opens the page.

export const PAGE_GROUPS = [
  ["now", ["overview", "alerts", "lamps"]],
  ["history", ["trends", "operations", "health", "handover"]],
  ["papers", ["record-book", "inspection", "export"]],
  [null, ["system", "search"]],
] as const;

export type RailName = (typeof PAGE_GROUPS)[number][1][number];

/** Pages that only other pages lead to, each with its page of the rail. */
export const INNER_PAGES = {
  why: "overview",
  panel: "overview",
  parts: "system",
  "first-watch": "system",
} as const;

export type PageName = RailName | keyof typeof INNER_PAGES;

export const PAGE_NAMES: readonly RailName[] = PAGE_GROUPS.flatMap(([, names]) => [...names]);

/** Pages that are loaded when they are first opened, and those of them that draw curves. */
export type FurtherPage = Exclude<PageName, "overview">;
export const DRAWN = ["trends", "lamps", "health"] as const;
export type DrawnPage = (typeof DRAWN)[number];

/** Pages in the bar of a telephone, from the left; the others are under "More". */
export const FIRST_PAGES: readonly RailName[] = ["overview", "trends", "lamps", "alerts"];

export function isPageName(name: string): name is PageName {
  return PAGE_NAMES.some((known) => known === name) || Object.keys(INNER_PAGES).includes(name);
}

/** The page of the rail for a page: itself, or the one that it belongs to. */
export function railNameOf(name: PageName): RailName {
  switch (name) {
    case "why":
    case "panel":
    case "parts":
    case "first-watch":
      return INNER_PAGES[name];
    default:
      return name;
  }
}
