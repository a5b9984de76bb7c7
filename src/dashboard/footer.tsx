// Links, the program's version, and its limits: the treatment system's own alarms govern, and every
// page states that.

import { AnswerLink } from "./answer-link.tsx";
import type { ShownVersion } from "./answers.ts";
import { ProblemBanner } from "./banners.tsx";
import type { PagePart } from "./refresh.ts";
import { hasToken } from "./token.ts";

const LINKS = ["/docs", "/openapi.json", "/api/tags", "/metrics"] as const;

export function Footer({ version }: { version: PagePart<ShownVersion> }) {
  const known = version.known?.value ?? null;
  const commit = known?.commit ?? null;
  return (
    <footer>
      <p>Advisory: the treatment system's own alarms and its type approval certificate govern.</p>
      <nav aria-label="More">
        <a href="manual">Manual</a>
        {LINKS.map((path) => (
          <AnswerLink key={path} path={path} />
        ))}
      </nav>
      {hasToken() && <p class="quiet">With a token these are saved as files.</p>}
      <p class="quiet">
        ballastd {known?.version ?? "—"}
        {commit === null ? "" : ` (${commit.slice(0, 12)})`}
      </p>
      <ProblemBanner text={version.problem} />
    </footer>
  );
}
