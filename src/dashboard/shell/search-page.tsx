// The page Search: a field, and its hits as a list for the arrow keys: pages, fields, lamps,
// alerts, operations, ports, chapters of the manual, moments for the time machine. The browser does
// the ranking; only operations and headings are asked for. `/` and Ctrl-K open this page.

import "./search.css";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { currentLanguage } from "../lang/area.ts";
import { searchWords as t } from "../lang/words.ts";
import { goTo, type PageProps, page } from "../parts/page.tsx";
import { ProblemBanner } from "../parts/problem.tsx";
import type { ViewParameter } from "../parts/view.ts";
import { OPERATIONS_POLL_MS, useAnswer, useNow, useSnapshot } from "../store/use-store.ts";
import { findables, olderOperation } from "./findables.ts";
import { foundMoments } from "./found-moments.ts";
import { HitList } from "./hit-list.tsx";
import { type Findable, indexed, ranked } from "./ranking.ts";
import { readFound, readHeadings } from "./search-answers.ts";

const QUERY_MAX = 200;
const query: ViewParameter<string> = {
  start: "",
  read: (text) => (text.length <= QUERY_MAX ? text : null),
  write: (value) => value,
};
const VIEW = { q: query };

export const searchPage = page(VIEW, Search);

const OPERATIONS = "/api/operations?limit=100";
const HEADINGS = "/manual/headings.json";

function Search({ view, change }: PageProps<typeof VIEW>) {
  const { hits, problems, isAsking } = useHits(view.q);
  const place = useRef<HTMLElement>(null);
  const type = (q: string) => change({ q }, "none");
  const onKey = (event: KeyboardEvent) => {
    if (event.isComposing || place.current === null) return;
    const taken = takeKey(event, place.current, {
      openFirst: () => {
        if (hits.length > 0) open(hits[0]);
      },
      leave: () => (view.q === "" ? window.history.back() : type("")),
    });
    if (taken) event.preventDefault();
  };
  return (
    <section ref={place} aria-labelledby="search" class="search" onKeyDown={onKey}>
      <h2 id="search">{t("title")}</h2>
      <Field query={view.q} type={type} />
      {problems.map((problem) => (
        <ProblemBanner key={problem.path} problem={problem} />
      ))}
      {view.q.trim() === "" ? (
        <p class="quiet">{t("about")}</p>
      ) : (
        <p class="quiet" role="status" data-test="hits">
          {isAsking && hits.length === 0 ? t("asking") : t("hits", { n: hits.length })}
        </p>
      )}
      <HitList hits={hits} />
    </section>
  );
}

interface KeyActs {
  readonly openFirst: () => void;
  /** Empties the field; if it is empty, leaves the page. */
  readonly leave: () => void;
}

/**
 * Moves the focus with the arrow keys from the field through the hits and back. True if the key was
 * used.
 */
function takeKey({ key }: KeyboardEvent, place: HTMLElement, acts: KeyActs): boolean {
  const stops = [...place.querySelectorAll<HTMLElement>("input, .hits a")];
  const { activeElement } = document;
  const at = activeElement instanceof HTMLElement ? stops.indexOf(activeElement) : -1;
  if (key === "ArrowDown" || key === "ArrowUp") {
    const next = stops[(at + (key === "ArrowDown" ? 1 : stops.length - 1)) % stops.length];
    next.focus();
    return true;
  }
  if (key === "Escape") {
    if (at === 0) acts.leave();
    else stops[0].focus();
    return true;
  }
  if (key !== "Enter" || at !== 0) return false;
  acts.openFirst();
  return true;
}

interface FieldProps {
  readonly query: string;
  readonly type: (query: string) => void;
}

function Field({ query, type }: FieldProps) {
  const field = useRef<HTMLInputElement>(null);
  // After the frame, which moves the focus to a new page.
  useEffect(() => {
    const timer = window.setTimeout(() => field.current?.focus());
    return () => window.clearTimeout(timer);
  }, []);
  return (
    <input
      ref={field}
      type="search"
      value={query}
      maxLength={QUERY_MAX}
      aria-label={t("title")}
      placeholder={t("placeholder")}
      autocomplete="off"
      autocapitalize="off"
      spellcheck={false}
      enterKeyHint="go"
      onInput={({ currentTarget }) => type(currentTarget.value)}
    />
  );
}

function useHits(query: string) {
  const now_ms = useNow();
  const { alarms } = useSnapshot();
  const found = useAnswer(OPERATIONS, readFound, ["operation"], OPERATIONS_POLL_MS);
  const manual = useAnswer(HEADINGS, readHeadings);
  const language = currentLanguage().code;
  const [known, open] = [found.known?.value, alarms.known?.value];
  // Minutes suffice for the times shown.
  const minute_ms = Math.floor(now_ms / 60_000) * 60_000;
  const index = useMemo(() => {
    const given = { open: open ?? [], operations: known ?? [], now_ms: minute_ms };
    return findables({ ...given, headings: manual.known?.value ?? [] }).map(indexed);
  }, [language, known, open, manual.known]);
  const hits = useMemo(
    () => [
      ...foundMoments(query, minute_ms),
      ...ranked([...index, ...olderOperation(query, known ?? []).map(indexed)], query, t("stop")),
    ],
    [index, query, minute_ms],
  );
  const problems = [found, manual].flatMap(({ problem }) => (problem === null ? [] : [problem]));
  const isAsking = [found, manual].some((one) => one.known === null && one.problem === null);
  return { hits, problems, isAsking };
}

function open({ href }: Findable): void {
  if (href.startsWith("#")) goTo(href);
  else window.location.assign(href);
}
