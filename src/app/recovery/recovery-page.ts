// The page of recovery mode, for a person in an engine room: the problem, and the command to type.
// Plain HTML with one style sheet and no script, so that it works whatever else is broken.

import path from "node:path";
import { DEFAULT_FILE, type ReadableConfig } from "../../config/load.ts";
import type { Build } from "../../ground/assets.ts";
import { EXIT, Failure } from "../../ground/errors.ts";
import type { StaticFile } from "../../http/route.ts";

/** The problem that keeps the service from starting. */
export interface Trouble {
  readonly problem: string;
  readonly error: unknown;
  /** The keys of the configuration that can be read. */
  readonly readable: ReadableConfig;
}

interface RecoveryPage extends Trouble {
  readonly build: Build;
  /** True if stored data can be queried. */
  readonly canRead: boolean;
  /**
   * True if queries need a token; then the page has no links to them, because a link can't carry
   * one.
   */
  readonly needsToken: boolean;
}

/** The page and its style sheet, by their paths. */
export function recoveryFiles(page: RecoveryPage): ReadonlyMap<string, StaticFile> {
  const html = Buffer.from(pageHtml(page));
  const css = Buffer.from(STYLE);
  return new Map([
    ["/", { bytes: html, type: "text/html; charset=utf-8" }],
    ["/recovery.css", { bytes: css, type: "text/css; charset=utf-8" }],
  ]);
}

const STYLE = `body { font: 18px/1.5 sans-serif; margin: 2em auto; max-width: 46em; }
h1 { background: #b00020; color: #fff; padding: 0.4em 0.6em; }
pre { background: #eee; color: #111; overflow-x: auto; padding: 0.6em; }
`;

function pageHtml({ build, canRead, needsToken, ...trouble }: RecoveryPage): string {
  const steps = stepsFor(trouble);
  const token = needsToken
    ? `
<p>Each needs a token, which a link can't show. Type, with this page's address and the path:</p>
<pre>curl -H "Authorization: Bearer TOKEN" ADDRESS/api/telemetry/latest</pre>`
    : "";
  const stored = canRead
    ? `<p>What was stored until then is answered still: see <a href="/docs">/docs</a>,
<a href="/api/telemetry/latest">the latest reading</a>,
<a href="/api/events">events</a>.</p>${token}`
    : "<p>What is stored can't be read by this page.</p>";
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>ballastd: recovery</title>
<meta http-equiv="refresh" content="15"><link rel="stylesheet" href="/recovery.css"></head>
<body>
<h1>Nothing is being recorded</h1>
<p>ballastd ${escaped(build.version)} runs, but can't do its work:</p>
<pre>${escaped(trouble.problem)}</pre>
<p>${escaped(steps.about)} On the machine itself, type:</p>
<pre>${steps.commands.map(escaped).join("\n")}</pre>
<p>It tries again by itself, and at once when the configuration was changed. The PLC keeps what
isn't acknowledged, as far as it can. The treatment system's own alarms govern.</p>
<p>What to do in which case: see <a href="/manual#operating">the manual</a>.</p>
${stored}
</body>
</html>
`;
}

interface RecoverySteps {
  readonly about: string;
  readonly commands: readonly string[];
}

/** The steps for the problem. For a second system the commands name its configuration and unit. */
export function stepsFor({ error, readable, problem }: Trouble): RecoverySteps {
  const file = readable.file ?? DEFAULT_FILE;
  const config = file === DEFAULT_FILE ? "" : ` --config ${file}`;
  const unit = serviceUnit(file);
  const exitCode = error instanceof Failure ? error.exitCode : null;
  if (problem.startsWith("the update to") || problem.includes("newer than this program"))
    return {
      about:
        "An update went wrong, or was taken back for another system aboard. The line above says " +
        "which; going back may ask for --old-data, and says first what that costs.",
      commands: [`ballastd rollback${config}`, `systemctl restart ${unit}`],
    };
  const isDatabase = problem.startsWith("database") || exitCode === EXIT.io;
  if (isDatabase)
    return {
      about:
        "The database can't be used. Salvage takes over its readable data; else a backup can " +
        "take its place. Either way what is there is kept aside.",
      commands: [
        `ballastd check${config}`,
        `ballastd salvage${config}`,
        `ballastd backup --list${config}`,
        `ballastd restore FILE${config}`,
      ],
    };
  if (exitCode === EXIT.config)
    return {
      about: "The configuration has an invalid value. The line above names it.",
      commands: [`nano ${file}`, `ballastd check${config}`],
    };
  return {
    about: "The line above describes the problem.",
    commands: [
      `ballastd check${config}`,
      `journalctl -u ${unit} -n 50`,
      `systemctl restart ${unit}`,
    ],
  };
}

/** The unit that runs with this configuration: `ballastd@two` with /etc/ballastd/two.toml. */
export function serviceUnit(file: string): string {
  const { dir, name, ext } = path.parse(file);
  const isInstance = file !== DEFAULT_FILE && dir === path.dirname(DEFAULT_FILE) && ext === ".toml";
  return isInstance ? `ballastd@${name}` : "ballastd";
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
