// The page Trends: any fields over any range, as curves with their marks. Its script is loaded
// when it is opened first.

import { trendsWords as t } from "../language/en/trends.ts";
import { page } from "../parts/page.tsx";

export const trendsPage = page({}, Trends);

function Trends() {
  return (
    <section>
      <h2>{t("title")}</h2>
    </section>
  );
}
