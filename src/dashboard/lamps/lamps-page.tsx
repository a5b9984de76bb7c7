// The page Lamps: the life of each lamp, with its forecast and its past. Its script is loaded when
// it is opened first.

import { lampsWords as t } from "../language/en/lamps.ts";
import { page } from "../parts/page.tsx";

export const lampsPage = page({}, Lamps);

function Lamps() {
  return (
    <section>
      <h2>{t("title")}</h2>
    </section>
  );
}
