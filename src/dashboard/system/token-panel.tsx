// Asks for a token where a part of the page needs one, while the rest of it is open to readers. The
// token is kept in memory alone.

import type { TargetedSubmitEvent } from "preact";
import { shellWords } from "../language/en/shell.ts";
import { systemWords as t } from "../language/en/system.ts";
import { hasToken, setToken } from "../store/token.ts";

/** `changed` is called when a token was given or forgotten. */
export function TokenPanel({ changed }: { changed: () => void }) {
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget).get("token");
    if (typeof given !== "string" || given.trim() === "") return;
    setToken(given.trim());
    changed();
  };
  const forget = () => {
    setToken(null);
    changed();
  };
  return (
    <section aria-labelledby="token">
      <h2 id="token">{t("token_title")}</h2>
      <p>{t("token_about")}</p>
      {hasToken() ? (
        <button type="button" onClick={forget}>
          {t("forget_token")}
        </button>
      ) : (
        <form class="token" onSubmit={submit} autocomplete="off">
          <label>
            {shellWords("token")}{" "}
            <input
              {...{ name: "token", type: "password", autocomplete: "off", spellcheck: false }}
              pattern="\s*[\x21-\x7e]+\s*"
              title={shellWords("token_pattern")}
              required
            />
          </label>
          <button type="submit">{t("use_token")}</button>
        </form>
      )}
      <p class="quiet">{shellWords("token_kept")}</p>
    </section>
  );
}
