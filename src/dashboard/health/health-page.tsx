// The page Health: the score, its parts and their inputs over time. Its script is loaded when it
// is opened first.

import { healthWords as t } from "../language/en/health.ts";
import { page } from "../parts/page.tsx";

export const healthPage = page({}, Health);

function Health() {
  return (
    <section>
      <h2>{t("title")}</h2>
    </section>
  );
}
