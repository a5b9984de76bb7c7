// Recognises that the system denies this user the database, which is then neither missing nor
// damaged. SQLite can't even read without write access: it makes its index of the log beside the
// database.

import { accessSync, constants } from "node:fs";
import { codeOf, EXIT, type ExitCode, Failure } from "../../ground/errors.ts";

const ADVICE = "type this as root, or as the service's user";
const COPY = "copy it to a disk that can be written, and set storage.dir to the copy";

/**
 * The Failure of a denied access; `code` is the system's, the same as of the call that would fail.
 */
class Refused extends Failure {
  readonly code: string;

  constructor(exitCode: ExitCode, code: string, message: string) {
    super(exitCode, message);
    this.code = code;
  }
}

/** The refusal of a file or a folder by its permissions, with the next step, or null. */
export function refusal(file: string, wish: "read" | "written"): Failure | null {
  try {
    accessSync(file, wish === "read" ? constants.R_OK : constants.W_OK);
    return null;
  } catch (error) {
    const code = codeOf(error);
    if (code === "EROFS")
      return new Refused(EXIT.io, code, `${file}: is on a read-only disk; ${COPY}`);
    if (code !== "EACCES") return null;
    const user = process.geteuid?.() ?? "?";
    return new Refused(
      EXIT.permission,
      code,
      `${file}: can't be ${wish} by user ${user}; ${ADVICE}`,
    );
  }
}
