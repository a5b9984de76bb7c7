// Asks for an engineer's token where a part of the page needs one, while the rest of it is open to
// readers. The page's own token serves, if it is an engineer's, until nobody has touched the
// page for 15 minutes.

import { systemWords as t } from "../lang/words.ts";
import { EngineerTokenForm } from "../parts/token-form.tsx";
import { forgetEngineerToken, hasToken, setToken } from "../store/token.ts";
import { useEngineerToken } from "../store/use-store.ts";

/** True if a token is known that may open the parts for engineers. */
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
