// The page System: ballastd itself: broker, disk, database, jobs, quarantine, backup. Its script
// is loaded when it is opened first.

import { systemWords as t } from "../language/en/system.ts";
import { page } from "../parts/page.tsx";

export const systemPage = page({}, System);

function System() {
  return (
    <section>
      <h2>{t("title")}</h2>
    </section>
  );
}
