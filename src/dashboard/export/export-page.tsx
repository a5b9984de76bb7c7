// The page Export: a range of data as a file: fields, format, size, progress. Its script is loaded
// when it is opened first.

import { exportWords as t } from "../language/en/export.ts";
import { page } from "../parts/page.tsx";

export const exportPage = page({}, Export);

function Export() {
  return (
    <section>
      <h2>{t("title")}</h2>
    </section>
  );
}
