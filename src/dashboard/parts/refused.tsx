// A refusal of ballastd in the page's language, by its HTTP status. ballastd's own words, which are
// English, follow: they name the value and what is expected.

import { laterWords as t } from "../lang/words.ts";

const WORDS = new Map([
  [400, "refused_not_taken"],
  [401, "refused_no_token"],
  [403, "refused_no_right"],
  [404, "refused_not_there"],
  [409, "refused_changed"],
  [413, "refused_too_large"],
  [429, "refused_too_often"],
  [500, "refused_own_fault"],
  [503, "refused_busy"],
] as const);

interface RefusedProps {
  readonly status: number | null;
  /** ballastd's message; null or empty if there is none. */
  readonly message: string | null;
}

export function RefusedRequest({ status, message }: RefusedProps) {
  const words = [...WORDS].find(([of]) => of === status)?.[1] ?? "refused_other";
  return (
    <>
      {t(words)} <English text={message} />
    </>
  );
}

/** The refusal of a token, whose status isn't kept. */
export function RefusedToken({ message }: Pick<RefusedProps, "message">) {
  return (
    <>
      {t("token_refused")} <English text={message} />
    </>
  );
}

function English({ text }: { text: string | null }) {
  return text === null || text === "" ? null : <span lang="en">{text}</span>;
}
