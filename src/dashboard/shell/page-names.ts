// The names of the pages in their order: the address of each, `#/trends`, the key of its title, and
// by its place the digit that leads to it.

export const PAGE_NAMES = [
  "overview",
  "trends",
  "lamps",
  "alerts",
  "operations",
  "health",
  "handover",
  "record-book",
  "inspection",
  "export",
  "system",
] as const;
export type PageName = (typeof PAGE_NAMES)[number];

/** The pages that are loaded when they are opened first, and those of them that draw curves. */
export type FurtherPage = Exclude<PageName, "overview">;
export const DRAWN = ["trends", "lamps", "health"] as const;
export type DrawnPage = (typeof DRAWN)[number];

/** The pages that a thumb reaches on a telephone; the others are under "More". */
export const FIRST_PAGES: readonly PageName[] = ["overview", "trends", "lamps", "alerts"];

export function isPageName(name: string): name is PageName {
  return PAGE_NAMES.some((known) => known === name);
}
