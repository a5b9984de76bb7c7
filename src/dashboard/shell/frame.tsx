// The frame around every page: the rail of pages, ship and system, the signs, the line of alerts,
// the banners, and the page itself. An invalid answer or an exception breaks only one part of it.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { onLanguage } from "../lang/area.ts";
import { shellWords as t } from "../lang/words.ts";
import { Later } from "../parts/later.tsx";
import { setShipOffset } from "../parts/moments.ts";
import { usePlace } from "../parts/page.tsx";
import { Guarded } from "../parts/panel.tsx";
import type { Snapshot } from "../store/snapshot.ts";
import { useNow, useSnapshot } from "../store/use-store.ts";
import { AlertBar } from "./alert-bar.tsx";
import { Banners } from "./banners.tsx";
import { Footer } from "./footer.tsx";
import { useFrameKeys } from "./frame-keys.ts";
import { Header } from "./header.tsx";
import { Navigation } from "./navigation.tsx";
import { PageArea, pageNameOf } from "./page-area.tsx";
import { railNameOf } from "./page-names.ts";
import { useReloadAfterUpdate } from "./update.ts";
import { useWallReturn } from "./wall-return.ts";

const loadAskToken = () => import("./ask-token.tsx");

const loadMenu = () => import("./menu.tsx");

export function Frame() {
  const snapshot = useSnapshot();
  const now_ms = useNow();
  const place = usePlace();
  const [open, setOpen] = useState(false);
  const redraw = useRedraw();
  const name = pageNameOf(place);
  useWallReturn(name);
  useArrival(name, () => setOpen(false));
  setShipOffset(snapshot.readiness.known?.value.utc_offset ?? "");
  useTitle(t(name), snapshot);
  useFrameKeys({ redraw, toggleMenu: () => setOpen(!open), close: () => setOpen(false) });
  const isUpdated = useReloadAfterUpdate(snapshot);
  useLaterScript(snapshot);
  return (
    <>
      <SkipButton />
      <Navigation
        current={railNameOf(name)}
        alerts={snapshot.alarms.known?.value ?? []}
        isOpen={open}
        toggleMenu={() => setOpen(!open)}
      />
      <Guarded>
        <Header snapshot={snapshot} now_ms={now_ms} />
      </Guarded>
      <Guarded>
        <AlertBar alarms={snapshot.alarms} reached={snapshot.reached} now_ms={now_ms} />
      </Guarded>
      {open && (
        <Later
          load={loadMenu}
          draw={({ Menu }) => (
            <Menu current={railNameOf(name)} redraw={redraw} close={() => setOpen(false)} />
          )}
        />
      )}
      <Guarded>
        <Banners snapshot={snapshot} now_ms={now_ms} isUpdated={isUpdated} />
      </Guarded>
      <main class={snapshot.reached ? "" : "old"} id="content" tabIndex={-1} aria-label={t(name)}>
        {snapshot.access.isNeeded ? (
          <Later
            load={loadAskToken}
            draw={({ AskToken }) => <AskToken access={snapshot.access} />}
          />
        ) : (
          <PageArea place={place} />
        )}
      </main>
      <Guarded>
        <Footer version={snapshot.version} />
      </Guarded>
    </>
  );
}

/**
 * Returns a function that draws everything again, after a choice that isn't in any state: language,
 * clock.
 */
function useRedraw(): () => void {
  const [, draw] = useState(0);
  const redraw = () => draw((count) => count + 1);
  useLayoutEffect(() => onLanguage(redraw), []);
  return redraw;
}

/** Loads the script of all parts that are drawn later, once the verdict is painted. */
function useLaterScript({ readiness }: Snapshot): void {
  const isPainted = readiness.known !== null || readiness.problem !== null;
  useEffect(() => {
    if (isPainted) loadMenu().catch(() => {});
  }, [isPainted]);
}

/** The first stop of the Tab key; it skips head and navigation. */
function SkipButton() {
  return (
    <button type="button" class="skip" onClick={() => document.getElementById("content")?.focus()}>
      {t("to_content")}
    </button>
  );
}

/** Scrolls a new page to its start, and closes the menu that led to it. */
function useArrival(name: string, closeMenu: () => void): void {
  const before = useRef(name);
  useLayoutEffect(() => {
    if (before.current === name) return;
    before.current = name;
    closeMenu();
    window.scrollTo(0, 0);
    document.getElementById("content")?.focus();
  });
}

/** Sets the title: the page first, then the ship, because a tab shows only the beginning. */
function useTitle(name: string, { readiness }: Snapshot): void {
  const { simulated, system_id, vessel } = readiness.known?.value ?? {};
  const parts = [simulated === true ? t("simulated") : null, name, vessel, system_id, "ballastd"];
  const title = parts.filter((part) => part !== null && part !== undefined).join(" · ");
  useEffect(() => {
    document.title = title;
  }, [title]);
}
