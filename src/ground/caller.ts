// The user who typed a command, as the audit log names them: the user of the process and, if that
// is root by sudo, the user who called sudo. SUDO_USER is trusted only in a process of root.

import os from "node:os";

/** Valid user names and ids: nothing that could pass for more than a name. */
const NAME = /^[\w.-]{1,32}$/;
const NUMBER = /^\d{1,10}$/;

const typed = described(process.env);

/** The caller as `local:chief(1000)` or `local:root(0) by sudo of chief(1000)`, as of the start. */
export function callerName(): string {
  return typed;
}

function described({ SUDO_UID = "", SUDO_USER = "" }: NodeJS.ProcessEnv): string {
  const uid = process.getuid?.() ?? "?";
  const own = `local:${named(nameOfUser(), uid)}`;
  if (uid !== 0 || !NUMBER.test(SUDO_UID)) return own;
  return `${own} by sudo of ${named(SUDO_USER, SUDO_UID)}`;
}

function named(name: string, uid: number | string): string {
  return `${NAME.test(name) ? name : "user"}(${uid})`;
}

function nameOfUser(): string {
  try {
    return os.userInfo().username;
  } catch {
    // A user without an entry in the system's list.
    return "";
  }
}
