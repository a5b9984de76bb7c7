// The button that sends a test message to each of ballastd's addresses, as the PLC would, and the
// result.

import { firstWatchWords as t } from "../lang/words.ts";
import { ActOutcomeLine, useAct } from "../parts/act.tsx";
import { isLike, listOf, type Read, textOrNull } from "../store/checks.ts";

const TEST_PATH = "/admin/test-message";

interface SentTest {
  readonly address: string;
  readonly problem: string | null;
}

const readSent: Read<readonly SentTest[]> = (body) =>
  isLike<{ sent: unknown }>(body) ? listOf(body.sent, sentIn) : null;

function sentIn(given: unknown): SentTest | null {
  if (!isLike<SentTest>(given)) return null;
  const address = textOrNull(given.address);
  return address === null ? null : { address, problem: textOrNull(given.problem) };
}

export function TestMessage() {
  const act = useAct(readSent);
  return (
    <>
      <p>
        <button type="button" disabled={act.isBusy} onClick={() => act.run(TEST_PATH, {})}>
          {t("test_send")}
        </button>
      </p>
      <ActOutcomeLine act={act} />
      {act.outcome?.known?.value.map(({ address, problem }) =>
        problem === null ? (
          <p key={address} role="status" data-test="arrived">
            {t("test_arrived", { address })}
          </p>
        ) : (
          <p key={address} role="alert" class="problem">
            {t("test_failed", { address })} <span lang="en">{problem}</span>
          </p>
        ),
      )}
    </>
  );
}
