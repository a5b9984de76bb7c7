// Draws the page that the address names, after loading its script and texts. An unknown address
// shows the overview with a note.

import { useEffect, useState } from "preact/hooks";
import { speakEverywhere } from "../lang/area.ts";
import { shellWords as t } from "../lang/words.ts";
import { overviewPage } from "../overview/overview-page.tsx";
import type { Page } from "../parts/page.tsx";
import { Guarded } from "../parts/panel.tsx";
import type { PagePlace } from "../parts/view.ts";
import { useSnapshot } from "../store/use-store.ts";
import { isPageName, type PageName } from "./page-names.ts";
import { loadPage } from "./pages.ts";
import { useSettling } from "./settling.ts";

/** The name of a place's page; the overview for an unknown name. */
export function pageNameOf({ name }: PagePlace): PageName {
  return isPageName(name) ? name : "overview";
}

const loaded = new Map<PageName, Page>();

export function PageArea({ place }: { place: PagePlace }) {
  const name = pageNameOf(place);
  const { page, failed, again } = useLoadedPage(name);
  // The overview's tiles have fixed heights; the search's field takes the focus at once.
  const waitsForAnswers = name !== "overview" && name !== "search";
  useSettling(useSnapshot(), page !== null || failed, waitsForAnswers);
  const isUnknown = place.name !== "" && !isPageName(place.name);
  return (
    <>
      {isUnknown && (
        <p class="problem" role="status">
          {t("unknown_page", { name: place.name })}
        </p>
      )}
      {page === null && !failed && <p class="quiet">{t("loading_page")}</p>}
      {page === null && failed && (
        <div class="problem" role="alert">
          <p>{t("failed_page")}</p>
          <button type="button" onClick={again}>
            {t("again")}
          </button>
        </div>
      )}
      {page !== null && (
        <Guarded key={name}>
          <page.Body query={place.query} />
        </Guarded>
      )}
    </>
  );
}

function useLoadedPage(name: PageName) {
  const [attempt, setAttempt] = useState(0);
  const [failedAttempt, setFailed] = useState("");
  const [, draw] = useState(0);
  const page = name === "overview" ? overviewPage : (loaded.get(name) ?? null);
  const id = `${name} ${attempt}`;
  useEffect(() => {
    if (page !== null || name === "overview") return;
    Promise.all([loadPage(name), speakEverywhere()])
      .then(([found]) => {
        loaded.set(name, found);
        draw((count) => count + 1);
      })
      .catch(() => setFailed(id));
  }, [id, name, page]);
  return { page, failed: failedAttempt === id, again: () => setAttempt(attempt + 1) };
}
