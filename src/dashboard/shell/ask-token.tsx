// Asks for a token if ballastd requires one: a form in place of the page, which appears as soon as
// the token is right.

import type { TargetedSubmitEvent } from "preact";
import { shellWords as t } from "../language/en/shell.ts";
import type { PageAccess } from "../store/snapshot.ts";
import { setToken } from "../store/token.ts";

export function AskToken({ access }: { access: PageAccess }) {
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget).get("token");
    if (typeof given === "string" && given.trim() !== "") setToken(given.trim());
  };
  return (
    <section aria-labelledby="token">
      <h2 id="token">{t("token_needed")}</h2>
      <p>
        {t("token_about")} <code>ballastd token add --name NAME --role viewer</code>
      </p>
      {access.refused !== null && (
        <p class="banner" role="alert">
          {access.refused === "" ? t("token_refused") : access.refused}
        </p>
      )}
      <form class="token" onSubmit={submit} autocomplete="off">
        <label>
          {t("token")}{" "}
          <input
            {...{ name: "token", type: "password", autocomplete: "off", spellcheck: false }}
            // Browsers don't send other characters; the failure would look like a lost
            // connection.
            pattern="\s*[\x21-\x7e]+\s*"
            title={t("token_pattern")}
            required
          />
        </label>
        <button type="submit">{t("token_show")}</button>
      </form>
      <p class="quiet">{t("token_kept")}</p>
    </section>
  );
}
