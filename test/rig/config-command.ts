// The command `ballastd config` of the built program, on a configuration in a folder of a test.

import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parse } from "smol-toml";
import { foldersOfTests } from "./folders.ts";
import { runProgram } from "./program.ts";

/** The rig's own variables would win over the file. */
export const ONLY_FILE = {
  BALLASTD_HTTP_LISTEN: undefined,
  BALLASTD_MQTT_LISTEN: undefined,
  BALLASTD_ALARMS_NO_DATA_SECONDS: undefined,
};

/** Opens a folder with a configuration file of this text, and the command on it. */
export function configCommands(installed: string) {
  const newFolder = foldersOfTests();
  return (text = installed) => {
    const folder = newFolder();
    const file = path.join(folder, "ballastd.toml");
    writeFileSync(file, text, { mode: 0o640 });
    const config = (...args: readonly string[]) =>
      runProgram({
        args: ["config", ...args],
        folder,
        env: { BALLASTD_CONFIG: file, ...ONLY_FILE },
      });
    const read = () => readFileSync(file, "utf8");
    return { folder, file, config, read, tables: () => parse(read()) };
  };
}
