// The link to the office: the session, the amount left to send, and refused data. Without a
// configured office it says so in one line.

import type { ShoreAnswer } from "../../bwts/documents/shore-answer.ts";
import { partsWords, systemWords as t } from "../lang/words.ts";
import { FactList } from "../parts/fact-list.tsx";
import { printMoment } from "../parts/moments.ts";
import { printBytes, printNumber } from "../parts/numbers.ts";
import { Panel } from "../parts/panel.tsx";
import { instant, isLike, listOf, numberOrNull, type Read, textOrNull } from "../store/checks.ts";
import { useAnswer } from "../store/use-store.ts";
import { EVERY_MS } from "./refresh.ts";

type ShownShore = ReturnType<typeof shoreIn>;

export const readShore: Read<ShownShore> = (body) => {
  if (!isLike<ShoreAnswer>(body)) return null;
  const state = textOrNull(body.state);
  return state === null ? null : { value: shoreIn(body, state) };
};

function shoreIn(body: Partial<Record<keyof ShoreAnswer, unknown>>, state: string) {
  const { backlog } = body;
  const left = isLike<NonNullable<ShoreAnswer["backlog"]>>(backlog) ? backlog : null;
  const counts = [left?.links, left?.payloads, left?.hours].map(numberOrNull);
  const store = isLike<NonNullable<ShoreAnswer["objects"]>>(body.objects) ? body.objects : null;
  const away = textOrNull(store?.problem);
  const refused = listOf(body.refused, refusalIn)?.value ?? [];
  return {
    ...{ state, problem: textOrNull(body.problem), answer_ms: instant(body.last_answer) },
    count: left === null ? null : counts.reduce<number>((sum, count) => sum + (count ?? 0), 0),
    bytes: numberOrNull(left?.bytes),
    oldest_ms: instant(left?.oldest),
    minutes: numberOrNull(left?.minutes_left),
    // Without duplicates: a store that refuses objects is listed among the refusals too.
    refused: [...new Set([...(away === null ? [] : [`objects: ${away}`]), ...refused])],
  };
}

function refusalIn(given: unknown) {
  if (!isLike<ShoreAnswer["refused"][number]>(given)) return null;
  const [what, reason] = [textOrNull(given.what), textOrNull(given.reason)];
  return what === null || reason === null ? null : `${what}: ${reason}`;
}

export function ShorePanel({ now_ms }: { readonly now_ms: number }) {
  const part = useAnswer("/api/shore", readShore, [], EVERY_MS);
  return (
    <Panel name="shore" title={t("shore")} part={part}>
      {(shore) =>
        shore.state === "off" ? (
          <p class="quiet">{t("shore_off")}</p>
        ) : (
          <ShoreFacts shore={shore} now_ms={now_ms} />
        )
      }
    </Panel>
  );
}

function ShoreFacts({ shore, now_ms }: { readonly shore: ShownShore; readonly now_ms: number }) {
  const { state, problem, answer_ms, count, bytes, oldest_ms, minutes, refused } = shore;
  return (
    <>
      {[...(problem === null ? [] : [problem]), ...refused].map((text) => (
        <p class="problem" lang="en">
          {text}
        </p>
      ))}
      <FactList
        facts={[
          [t("shore_session"), partsWords(state === "connected" ? "yes" : "no")],
          [t("shore_answer"), answer_ms === null ? t("never") : printMoment(answer_ms, now_ms)],
          [t("shore_left"), count === null ? null : printNumber(count)],
          [t("size"), bytes === null ? null : printBytes(bytes)],
          [t("shore_oldest"), oldest_ms === null ? null : printMoment(oldest_ms, now_ms)],
          [
            t("shore_minutes"),
            minutes === null ? null : partsWords("minutes", { n: printNumber(Math.ceil(minutes)) }),
          ],
        ]}
      />
    </>
  );
}
