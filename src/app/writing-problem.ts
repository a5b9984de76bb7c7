// The reasons why this process can't change the configuration's file: there is none, it has an
// error, or it may not be written. A missing right is left to the unit, where there is one.

import { accessSync, constants, realpathSync } from "node:fs";
import path from "node:path";
import type { SettingsBody } from "../bwts/settings.ts";
import { ruleChanges } from "../config/edit-rules.ts";
import { loadConfig } from "../config/load.ts";
import { Failure } from "../ground/errors.ts";
import { type RefusalReason, reason } from "../ground/reasons.ts";
import type { StartConfig } from "./asked-support.ts";
import { plainProblem } from "./settings-keys.ts";

export interface WritingProblem {
  readonly text: string;
  readonly reason: RefusalReason;
  /** True if the file must be repaired by hand before anybody can change it. */
  readonly isInside: boolean;
}

/** The problem as text. Rules of the map can't be set by a command, so they need other advice. */
export function refusedText(
  { text, isInside }: WritingProblem,
  rules: SettingsBody["rules"],
): string {
  const [place] = text.split("; type aboard:", 1);
  if (isInside || ruleChanges(rules).length === 0) return text;
  return (
    `${place}; aboard, add the [[map.rule]] tables at the end of that file, or take them out ` +
    "there, then restart ballastd"
  );
}

/** The reason why the file can't be changed by this process; null if it can. */
export function writingProblem({ file, env }: StartConfig): WritingProblem | null {
  if (file === null)
    return {
      text:
        "this instance runs without a configuration file: make /etc/ballastd/ballastd.toml " +
        "aboard, or start it with --config FILE",
      reason: reason("file_none", {}),
      isInside: true,
    };
  try {
    loadConfig({ file, env });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const problem = plainProblem(error.message);
    return {
      text: `the file can't be used as it is, mend it aboard by hand: ${problem}`,
      reason: reason("file_broken", {}),
      isInside: true,
    };
  }
  try {
    accessSync(path.dirname(realpathSync(file)), constants.W_OK);
    return null;
  } catch {
    return {
      text:
        `${file}: the service may not replace it, so nothing was changed; type aboard: ` +
        "sudo ballastd config set KEY VALUE",
      reason: reason("file_closed", { file }),
      isInside: false,
    };
  }
}
