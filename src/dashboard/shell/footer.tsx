// Links, the program's version, and its limits: the treatment system's own alarms take precedence,
// which every page states.

import { shellWords as t } from "../lang/words.ts";
import { AnswerLink } from "../parts/answer-link.tsx";
import { ProblemBanner } from "../parts/problem.tsx";
import type { ShownVersion } from "../store/answers.ts";
import type { PagePart } from "../store/ask.ts";
import { hasToken } from "../store/token.ts";

const LINKS = ["/docs", "/openapi.json", "/api/tags", "/metrics"] as const;

export function Footer({ version }: { version: PagePart<ShownVersion> }) {
  const known = version.known?.value ?? null;
  const commit = known?.commit ?? null;
  return (
    <footer>
      <p>{t("advisory")}</p>
      <nav aria-label={t("further")}>
        <a href="manual">{t("manual")}</a>
        {LINKS.map((path) => (
          <AnswerLink key={path} path={path} />
        ))}
      </nav>
      {hasToken() && <p class="quiet">{t("token_saves")}</p>}
      <p class="quiet">
        ballastd {known?.version ?? "—"}
        {commit === null ? "" : ` (${commit.slice(0, 12)})`}
      </p>
      <ProblemBanner problem={version.problem} />
    </footer>
  );
}
