// The navigation between pages: a rail at the left, in groups; on a telephone a bar at the bottom,
// in reach of a thumb, with four pages and "More" for the others. The page of alerts shows the
// number of open ones.

import { shellWords as t } from "../lang/words.ts";
import { Icon } from "../parts/icon.tsx";
import type { OpenAlert } from "../store/answers.ts";
import { FIRST_PAGES, PAGE_GROUPS, type RailName } from "./page-names.ts";

interface NavigationProps {
  readonly current: RailName;
  /** The open alerts, the most urgent first. */
  readonly alerts: readonly OpenAlert[];
  readonly isOpen: boolean;
  readonly toggleMenu: () => void;
}

export function Navigation({ current, alerts, isOpen, toggleMenu }: NavigationProps) {
  return (
    <nav class="pages" aria-label={t("pages")}>
      {PAGE_GROUPS.map(([group, names]) => (
        <div key={group} class="group">
          {group !== null && <h2>{t(`group_${group}`)}</h2>}
          {names.map((name) => (
            <PageLink key={name} name={name} current={current} alerts={alerts} />
          ))}
        </div>
      ))}
      <button type="button" class="page-link" aria-expanded={isOpen} onClick={toggleMenu}>
        <Icon name="more" />
        {t("more")}
      </button>
    </nav>
  );
}

interface PageLinkProps {
  readonly name: RailName;
  readonly current: RailName;
  readonly alerts?: readonly OpenAlert[];
}

export function PageLink({ name, current, alerts = [] }: PageLinkProps) {
  const place = FIRST_PAGES.indexOf(name) + 1;
  const open = name === "alerts" ? alerts.filter(({ isShelved }) => !isShelved) : [];
  return (
    <a
      href={`#/${name}`}
      class={`page-link ${place === 0 ? "further" : `first-${place}`}`}
      aria-current={name === current ? "page" : undefined}
    >
      <Icon name={name} />
      {t(name)}
      {open.length > 0 && (
        <span class={`badge ${open[0].priority}`} aria-hidden="true">
          {open.length > 99 ? "99+" : open.length}
        </span>
      )}
    </a>
  );
}
