// A ship's link to the shore, over a real database and a real connection, in this process: threads
// are left out, so that a ship begins in milliseconds.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { ShoreFile } from "../../src/bwts/documents/shore-file.ts";
import { CONFIG, type Config } from "../../src/config/config.ts";
import { openLog } from "../../src/ground/log.ts";
import type { SessionParts } from "../../src/shore/parts.ts";
import { openShore, type ShoreLinkOptions, type ShoreService } from "../../src/shore/shore.ts";
import type { PartedChain } from "../../src/shore/state.ts";
import { noteShore, renumberHours } from "../../src/sqlite/exchange/shore-noted.ts";
import { databaseFile, openReader } from "../../src/sqlite/file/open.ts";
import { readerResult } from "../../src/sqlite/threads/reader-calls.ts";
import type { Rig } from "./database.ts";

export interface BoxAboard extends AsyncDisposable {
  readonly shore: ShoreService;
  readonly parted: readonly PartedChain[];
}

export interface BoxOptions extends Partial<ShoreLinkOptions> {
  /** In place of the file's URLs, for a proxy. */
  readonly port?: number;
  readonly shore?: Partial<Config["shore"]>;
  /** A folder of its own for the instance number. */
  readonly dir?: string;
}

/** Quick attempts, so that a test needn't wait for them. */
const PACE = { first_ms: 50, max_ms: 400, refused_ms: 400, connect_max_ms: 20_000 };

/** Begins to send what the database has. */
export function openBox(rig: Rig, file: ShoreFile, options: BoxOptions = {}): BoxAboard {
  const { dir = path.join(rig.dir, "box"), port, shore = {}, ...more } = options;
  mkdirSync(dir, { recursive: true });
  const place = (name: string, text: string) => {
    const at = path.join(dir, name);
    writeFileSync(at, text);
    return at;
  };
  const reader = openReader(databaseFile(rig.dir));
  const { limits, lamps } = CONFIG.parse(sectionsWithoutKeys());
  const parted: PartedChain[] = [];
  const readers: SessionParts["readers"] = {
    call: async (name, ...given) =>
      readerResult({ name, given } as never, {
        db: reader,
        config: { limits, lamps },
      }) as never,
  };
  const writer = {
    async call(name: string, given: never) {
      if (name === "note_shore") noteShore(rig.db, given);
      else renumberHours(rig.db, given);
    },
  } as never;
  const urls = file.urls.map((url) => withPort(url, port));
  const service = openShore({
    ...{ dir, version: "0.3.0", readers, writer, used_bytes: 0, pace: PACE },
    settings: {
      ...CONFIG.parse(sectionsWithoutKeys()).shore,
      ...{ url: urls, cert: place("cert.pem", file.certificate), key: place("key.pem", file.key) },
      ...{ key_pin: file.key_pin, ...shore },
    },
    now_ms: Date.now,
    isClockTrusted: () => true,
    log: openLog("error").area("service"),
    onParted: (one) => void parted.push(one),
    ...more,
  });
  return {
    ...{ shore: service, parted },
    async [Symbol.asyncDispose]() {
      await service.close();
      reader.close();
      rmSync(path.join(dir, "key.pem"), { force: true });
    },
  };
}

const sectionsWithoutKeys = () =>
  Object.fromEntries(Object.keys(CONFIG.shape).map((section) => [section, {}]));

function withPort(given: string, port: number | undefined): string {
  const url = new URL(given);
  if (port !== undefined) url.port = `${port}`;
  return url.href;
}
