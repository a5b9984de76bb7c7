// A panel: one part of a page with a heading. It reports a problem with its answer and keeps
// showing the last known one. It fails alone: an exception in it becomes a message here.

import type { ComponentChildren } from "preact";
import { useEffect, useErrorBoundary } from "preact/hooks";
import { partsWords as t } from "../lang/words.ts";
import type { PagePart } from "../store/ask.ts";
import { ProblemBanner } from "./problem.tsx";

interface PanelProps<T> {
  /** The panel's `id`, for links and tests; unique on a page. Its class is `…-panel`. */
  readonly name: string;
  readonly title: ComponentChildren;
  readonly part: PagePart<T>;
  /** Note beside the title: the subject of the panel. */
  readonly aside?: ComponentChildren;
  /** Draws the answer; until there is one, the panel shows that it is loading. */
  readonly children: (known: T) => ComponentChildren;
}

export function Panel<T>({ name, title, part, aside, children }: PanelProps<T>) {
  return (
    <section aria-labelledby={name} class={`${name}-panel`}>
      {aside === undefined ? (
        <h2 id={name}>{title}</h2>
      ) : (
        <div class="tile-head">
          <h2 id={name}>{title}</h2>
          <span class="aside">{aside}</span>
        </div>
      )}
      <ProblemBanner problem={part.problem} />
      {part.known === null && part.problem === null && <p class="quiet">{t("loading")}</p>}
      {part.known !== null && (
        <Guarded>
          <Content known={part.known.value} draw={children} />
        </Guarded>
      )}
    </section>
  );
}

/** A component of its own, so that the surrounding `Guarded` catches its errors. */
function Content<T>(props: { known: T; draw: (known: T) => ComponentChildren }) {
  return <>{props.draw(props.known)}</>;
}

/** Pause before another try: by then the next answer is there, and may be valid. */
const RETRY_MS = 5_000;

/** Shows a message in place of children that throw, and tries them again. */
export function Guarded({ children }: { children: ComponentChildren }) {
  const [error, reset] = useErrorBoundary();
  useEffect(() => {
    if (error === undefined) return;
    const timer = window.setTimeout(reset, RETRY_MS);
    return () => window.clearTimeout(timer);
  }, [error, reset]);
  if (error === undefined) return <>{children}</>;
  return (
    <div class="problem" role="alert">
      <p>{t("broken", { message: error instanceof Error ? error.message : String(error) })}</p>
      <button type="button" onClick={reset}>
        {t("again")}
      </button>
    </div>
  );
}
