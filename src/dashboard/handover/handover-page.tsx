// The page Handover: what changed since the last watch, in words, printable. Its script is loaded
// when it is opened first.

import { handoverWords as t } from "../language/en/handover.ts";
import { page } from "../parts/page.tsx";

export const handoverPage = page({}, Handover);

function Handover() {
  return (
    <section>
      <h2>{t("title")}</h2>
    </section>
  );
}
