// Asks for a token if ballastd requires one: a form in place of the page; the page appears as soon
// as the token is accepted.

import { laterWords as t } from "../lang/words.ts";
import { RefusedToken } from "../parts/refused.tsx";
import { TokenForm } from "../parts/token-form.tsx";
import type { PageAccess } from "../store/snapshot.ts";
import { setToken } from "../store/token.ts";

export function AskToken({ access }: { access: PageAccess }) {
  return (
    <section aria-labelledby="token">
      <h2 id="token">{t("token_needed")}</h2>
      <p>
        {t("token_about")} <code>ballastd token add --name NAME --role viewer</code>
      </p>
      {access.refused !== null && (
        <p class="banner" role="alert">
          <RefusedToken {...access.refused} />
        </p>
      )}
      <TokenForm button={t("token_show")} give={setToken} />
      <p class="quiet">{t("token_kept")}</p>
    </section>
  );
}
