// Asks for an engineer's token where a part of the page needs one; the rest is open to readers. If
// the page's own token is an engineer's, it is used, until nobody has touched the page for 15
// minutes.

import { systemWords as t } from "../lang/words.ts";
import { EngineerTokenForm } from "../parts/token-form.tsx";
import { forgetEngineerToken, hasToken, setToken } from "../store/token.ts";
import { useEngineerToken } from "../store/use-store.ts";

/** True if a token is known that may open the engineers' parts. */
export function useIsOpen(): boolean {
  return useEngineerToken().isOpen;
}

export function TokenPanel() {
  const { isKnown, refused } = useEngineerToken();
  const forget = () => (isKnown ? forgetEngineerToken() : setToken(null));
  return (
    <section aria-labelledby="token">
      <h2 id="token">{t("token_title")}</h2>
      {(isKnown || hasToken()) && (
        <button type="button" onClick={forget}>
          {t("forget_token")}
        </button>
      )}
      {!isKnown && <EngineerTokenForm about={t("token_about")} refused={refused} />}
    </section>
  );
}
