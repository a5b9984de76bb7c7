// /etc/ballastd/ballastd.toml as it is installed: every key with its meaning and its default, all
// commented out but the version and the data folder. Made of the schema that the program reads by,
// so that no key is missing and none is left over.

import { CONFIG_KEYS } from "../../src/config/config.ts";
import { aboutKey, configText } from "../../src/config/key-text.ts";
import { CONFIG_VERSION } from "../../src/config/version.ts";

const HEAD = `# Configuration of ballastd. What is commented out is the default. After a change:
#   systemctl restart ballastd
#
# As installed, ballastd can be reached from this machine alone. For the ship's LAN set
#   [http] listen = ["0.0.0.0:8080"]     the page and the API
#   [mqtt] listen = ["0.0.0.0:1883"]     the PLC's messages, with username and password_file
# A PLC on this machine, or a broker that is aboard already (mode = "client"), needs neither.
`;

const VERSION = `# Form of this file; ballastd reads this one and all older ones.
version = ${CONFIG_VERSION}
`;

/** Lines that aren't commented out: a folder that the service may write. */
const SET = new Map([["storage.dir", '"/var/lib/ballastd"']]);

const COLUMNS_MAX = 100;

/** The whole file. */
export function configurationFile(): string {
  const sections = [...Map.groupBy(CONFIG_KEYS, ({ section }) => section)].map(
    ([section, keys]) => {
      const lines = keys.flatMap((key) => {
        const set = SET.get(key.key);
        const line =
          set === undefined ? `#${key.name} = ${configText(key.fallback)}` : `${key.name} = ${set}`;
        return [...wrapped(aboutKey(key)), line, ""];
      });
      return [`[${section}]`, ...lines].join("\n");
    },
  );
  return `${HEAD}\n${VERSION}\n${sections.join("\n")}`;
}

function wrapped(text: string): readonly string[] {
  const lines: string[] = [];
  let line = "#";
  for (const word of text.split(" ")) {
    if (line.length + word.length + 1 > COLUMNS_MAX) {
      lines.push(line);
      line = "#";
    }
    line += ` ${word}`;
  }
  return [...lines, line];
}
