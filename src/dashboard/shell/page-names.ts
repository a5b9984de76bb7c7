// The names of the pages in the order and groups of the rail: the address of each, `#/trends`, the
// key of its title, and by its place the digit that leads to it.

export const PAGE_GROUPS = [
  ["now", ["overview", "alerts", "lamps"]],
  ["history", ["trends", "operations", "health", "handover"]],
  ["papers", ["record-book", "inspection", "export"]],
  [null, ["system", "search"]],
] as const;

export type RailName = (typeof PAGE_GROUPS)[number][1][number];

/** Pages that other pages lead to, each with the page of the rail that it belongs to. */
export const INNER_PAGES = {
  why: "overview",
  panel: "overview",
  parts: "system",
  "first-watch": "system",
} as const;

export type PageName = RailName | keyof typeof INNER_PAGES;

export const PAGE_NAMES: readonly RailName[] = PAGE_GROUPS.flatMap(([, names]) => [...names]);

/** The pages that are loaded when they are opened first, and those of them that draw curves. */
export type FurtherPage = Exclude<PageName, "overview">;
export const DRAWN = ["trends", "lamps", "health"] as const;
export type DrawnPage = (typeof DRAWN)[number];

/** The pages that a thumb reaches on a telephone, from the left; the others are under "More". */
export const FIRST_PAGES: readonly RailName[] = ["overview", "trends", "lamps", "alerts"];

export function isPageName(name: string): name is PageName {
  return PAGE_NAMES.some((known) => known === name) || Object.keys(INNER_PAGES).includes(name);
}

/** The page of the rail that a page is, or belongs to. */
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
