// Certificate files: what is refused and in which words, what is only told, and that whatever
// happens to the files while the program runs, what is in use is a pair that fits.

import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import {
  type CertificateFiles,
  dateProblem,
  readCertificate,
} from "../../../src/config/certificate.ts";
import { watchCertificate } from "../../../src/config/certificate-watch.ts";
import { DAY_MS, systemClock } from "../../../src/ground/clock.ts";
import { EXIT, Failure } from "../../../src/ground/errors.ts";
import { authority, lockedKey, type Pair } from "../../rig/certificates.ts";
import { keptLog, until } from "../../rig/mqtt-receiver.ts";
import { temporaryFolder } from "../../rig/program.ts";

const dir = temporaryFolder();
afterAll(() => rmSync(dir, { recursive: true }));
const ship = authority(dir, "ship");
const good = ship.issue("good");
const other = ship.issue("other");
const ended = ship.issue("ended", -1);

const text = (name: string, content: string): string => {
  const file = path.join(dir, name);
  writeFileSync(file, content);
  return file;
};
const missing = path.join(dir, "missing.pem");
const folder = path.join(dir, "folder");
mkdirSync(folder);
const words = text("words.pem", "a certificate, honestly");
const der = path.join(dir, "der.pem");
writeFileSync(der, Buffer.from([0x30, 0x82, 0x01, 0x0a, 0, 1, 2]));
const broken = text("broken.pem", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
const huge = text("huge.pem", "x".repeat(1_100_000));
const backwards = text("backwards.pem", readFileSync(ship.ca, "utf8") + readFileSync(good.cert));

const pair = ({ cert, key }: Pair, ca = ""): CertificateFiles => ({ use: "http", cert, key, ca });

describe("what is refused", () => {
  test.each([
    ["no certificate there", { ...good, cert: missing }, "http.tls_cert", missing, "doesn't exist"],
    ["no key there", { ...good, key: missing }, "http.tls_key", missing, "doesn't exist"],
    ["a folder", { ...good, cert: folder }, "http.tls_cert", folder, "is not a file"],
    ["words", { ...good, cert: words }, "http.tls_cert", words, "is not PEM"],
    ["DER", { ...good, cert: der }, "http.tls_cert", der, "is not PEM"],
    ["a broken one", { ...good, cert: broken }, "http.tls_cert", broken, "can't be read"],
    ["a huge file", { ...good, cert: huge }, "http.tls_cert", huge, "expected at most 1048576"],
    ["them swapped", { cert: good.key, key: good.cert }, "http.tls_cert", good.key, "private key"],
    [
      "two certificates",
      { cert: good.cert, key: good.cert },
      "http.tls_key",
      good.cert,
      "expected",
    ],
    ["another's key", { ...good, key: other.key }, "http.tls_key", other.key, "doesn't belong to"],
    ["a chain that is upside down", { ...good, cert: backwards }, "tls_cert", backwards, "place 2"],
    ["a locked key", { ...good, key: lockedKey(dir) }, "http.tls_key", "locked.key", "passphrase"],
  ])("%s is one line that names key, file and problem, exit 78", (_what, files, ...named) => {
    const failure = refusal(pair(files));
    expect(failure.exitCode).toBe(EXIT.config);
    for (const part of named) expect(failure.message).toContain(part);
    expect(failure.message).not.toContain("\n");
  });

  test("an authority that is none is named too", () => {
    expect(refusal(pair(good, words)).message).toContain(`http.tls_ca ${words} is not PEM`);
  });
});

describe("dates", () => {
  const { begins_ms, ends_ms } = readCertificate(pair(good));

  test.each([
    ["long before its end", ends_ms - 60 * DAY_MS, null],
    ["in its last month", ends_ms - 20 * DAY_MS, /ends on /],
    ["at its end", ends_ms, /ended on /],
    ["before its beginning", begins_ms - 1, /not valid before .* is the clock right\?/],
  ])("%s a certificate is used, and %s is told", (_what, now_ms, told) => {
    const problem = dateProblem(readCertificate(pair(good)), now_ms);
    if (told === null) expect(problem).toBeNull();
    else expect(problem).toMatch(told);
  });

  test("one that has ended is read all the same, and said to have", () => {
    const { log, lines } = keptLog();
    const watched = watchCertificate(pair(ended), { clock: systemClock, log });
    watched.close();
    expect(watched.state().problem).toMatch(/^the certificate ended on /);
    expect(lines.join()).toMatch(/^warn the certificate ended on /);
  });

  test("of several authorities the last one still stands", () => {
    const all = text("all.pem", `${readFileSync(ended.cert)}${readFileSync(ship.ca)}`);
    const ca_ms = readCertificate({ use: "mqtt", cert: "", key: "", ca: ship.ca }).ends_ms;
    expect(readCertificate({ use: "mqtt", cert: "", key: "", ca: all }).ends_ms).toBe(ca_ms);
  });
});

let watched_count = 0;
function watch() {
  watched_count += 1;
  const file = (ending: string) => path.join(dir, `used-${watched_count}.${ending}`);
  const files = { use: "http", cert: file("pem"), key: file("key"), ca: "" } as const;
  replace(files, good);
  const { log, lines } = keptLog();
  const watched = watchCertificate(files, { clock: systemClock, log });
  const changes: Buffer[] = [];
  watched.onChange(({ cert }) => changes.push(cert ?? Buffer.alloc(0)));
  return { files, watched, lines, changes, [Symbol.dispose]: () => watched.close() };
}

describe.concurrent("while the program runs", () => {
  test("a new pair is taken by itself, also by rename", async () => {
    using here = watch();
    replace(here.files, other);
    await until("the new pair", () => here.changes.length > 0);
    expect(here.watched.credentials().cert).toEqual(readFileSync(other.cert));
    replace(here.files, good);
    await until("the first pair again", () => here.changes.length > 1);
    expect(here.lines.at(-1)).toBe("info the certificate was read again");
  });

  test("half of a pair changes nothing until the other half is there", async () => {
    using here = watch();
    copyFileSync(other.cert, here.files.cert);
    await until("the problem", () => here.watched.state().problem !== null);
    expect(here.watched.state().problem).toContain("doesn't belong to the certificate");
    expect(here.watched.credentials().cert).toEqual(readFileSync(good.cert));
    expect(here.lines.at(-1)).toContain("can't be used, the one before stays");
    copyFileSync(other.key, here.files.key);
    await until("the new pair", () => here.changes.length > 0);
    expect(here.watched.state().problem).toBeNull();
    expect(here.lines.at(-1)).toBe("info the certificate was read again");
  });

  test("a file that is gone, cut short or unreadable leaves what was there in use", () => {
    using here = watch();
    const spoil = [
      () => rmSync(here.files.cert),
      () => writeFileSync(here.files.cert, readFileSync(other.cert).subarray(0, 200)),
      () => writeFileSync(here.files.cert, ""),
    ];
    for (const change of spoil) {
      change();
      here.watched.reload();
      expect(here.watched.state().problem).not.toBeNull();
    }
    expect(here.changes).toEqual([]);
    replace(here.files, other);
    here.watched.reload();
    expect(here.changes).toHaveLength(1);
  });
});

describe("a problem with the files", () => {
  test("a problem is one line, however often the file is written again with it", () => {
    using here = watch();
    copyFileSync(other.cert, here.files.cert);
    here.watched.reload();
    const told = here.lines.length;
    for (let written = 0; written < 3; written += 1) {
      copyFileSync(other.cert, here.files.cert);
      here.watched.look();
    }
    expect(here.lines).toHaveLength(told);
    writeFileSync(here.files.cert, "");
    here.watched.look();
    expect(here.lines).toHaveLength(told + 1);
  });

  test("a pair that has ended replaces one that has ended too, and no other", () => {
    using here = watch();
    replace(here.files, ended);
    here.watched.reload();
    expect(here.watched.state().problem).toMatch(/^ended on .*, the one in use is valid until /);
    expect(here.changes).toEqual([]);
    const { log } = keptLog();
    const over = watchCertificate(pair(ended), { clock: systemClock, log });
    over.close();
    over.reload();
    expect(over.state().problem).toMatch(/^the certificate ended on /);
  });
});

/** As a careful script does it: copies aside, then renames. */
function replace(files: CertificateFiles, by: Pair): void {
  for (const [from, to] of [
    [by.cert, files.cert],
    [by.key, files.key],
  ]) {
    copyFileSync(from, `${to}.new`);
    chmodSync(`${to}.new`, 0o600);
    renameSync(`${to}.new`, to);
  }
}

function refusal(files: CertificateFiles): Failure {
  try {
    readCertificate(files);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error("not refused");
}
