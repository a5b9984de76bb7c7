// Shows how old the displayed answer is, and the server's problem, during which all data shown is
// old.

import type { ComponentChildren } from "preact";
import { fleetWords as t } from "../../dashboard/lang/words.ts";
import { printSecond } from "../../dashboard/parts/moments.ts";
import { ProblemBanner } from "../../dashboard/parts/problem.tsx";
import type { PolledPart } from "./polled.ts";

interface ServerStateProps<T> {
  readonly polled: PolledPart<T>;
  readonly now_ms: number;
  readonly children: (known: T) => ComponentChildren;
}

export function ServerState<T extends { readonly as_of_ms: number }>(props: ServerStateProps<T>) {
  const { polled, now_ms, children } = props;
  const { known, problem } = polled;
  const as_of = known === null ? null : printSecond(known.value.as_of_ms, now_ms);
  return (
    <>
      {problem !== null && (
        <div class="banner alarm" role="alert" data-test="lost">
          {as_of !== null && <p>{t("lost", { moment: as_of })}</p>}
          <ProblemBanner problem={problem} />
        </div>
      )}
      {as_of === null ? (
        problem === null && <p class="quiet">{t("asking")}</p>
      ) : (
        <p class="quiet" data-test="as-of">
          {t("as_of", { moment: as_of })}
        </p>
      )}
      {known !== null && (
        <div class={problem === null ? "told" : "told old"}>{children(known.value)}</div>
      )}
    </>
  );
}
