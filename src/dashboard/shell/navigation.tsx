// The pages. On a telephone a bar at the lower edge, within a thumb's reach: four pages, and "More"
// for the others; where there is room, all of them in a row below the head.

import { shellWords as t } from "../lang/words.ts";
import { FIRST_PAGES, PAGE_NAMES, type PageName } from "./page-names.ts";

interface NavigationProps {
  readonly current: PageName;
  readonly isOpen: boolean;
  readonly toggleMenu: () => void;
}

export function Navigation({ current, isOpen, toggleMenu }: NavigationProps) {
  return (
    <nav class="pages" aria-label={t("pages")}>
      {PAGE_NAMES.map((name) => (
        <PageLink key={name} name={name} current={current} />
      ))}
      <button type="button" class="page-link" aria-expanded={isOpen} onClick={toggleMenu}>
        {t("more")}
      </button>
    </nav>
  );
}

export function PageLink({ name, current }: { name: PageName; current: PageName }) {
  return (
    <a
      href={`#/${name}`}
      class={FIRST_PAGES.includes(name) ? "page-link" : "page-link further"}
      aria-current={name === current ? "page" : undefined}
    >
      {t(name)}
    </a>
  );
}
