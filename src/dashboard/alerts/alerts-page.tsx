// The page Alerts: the list of alerts and events: filter, acknowledge, see what cleared. Its
// script is loaded when it is opened first.

import { alertsWords as t } from "../language/en/alerts.ts";
import { page } from "../parts/page.tsx";

export const alertsPage = page({}, Alerts);

function Alerts() {
  return (
    <section>
      <h2>{t("title")}</h2>
    </section>
  );
}
