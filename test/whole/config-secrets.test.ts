// A secret that stands anywhere in a configuration, in its place or by a slip elsewhere, is in no
// message, page, answer, report or log line: broken configurations by the hundred, each with a
// secret planted, through whatever prints of a configuration, and some through the built program.

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { openCertificates } from "../../src/app/certificates.ts";
import { recoveryFiles } from "../../src/app/recovery/recovery-page.ts";
import { readPassword, readToken } from "../../src/app/secret-files.ts";
import { shownConfig } from "../../src/app/shown-config.ts";
import { CONFIG_KEYS, type Config, variableOf } from "../../src/config/config.ts";
import { loadConfig, readableConfig } from "../../src/config/load.ts";
import { readBuild } from "../../src/ground/assets.ts";
import { systemClock } from "../../src/ground/clock.ts";
import { messageOf } from "../../src/ground/errors.ts";
import { openMap, oursFilter } from "../../src/payload/map-rules.ts";
import { foldersOfTests } from "../rig/folders.ts";
import { SILENT } from "../rig/http-server-rig.ts";
import { runProgram, startProgram } from "../rig/program.ts";
import { printedRandom, type Random } from "../rig/random.ts";
import { unzipped } from "../rig/unzipped.ts";

const newFolder = foldersOfTests();

interface Broken {
  readonly toml: string;
  readonly env: Readonly<Record<string, string>>;
}

const ALPHABETS = [
  "0123456789abcdef",
  "0123456789",
  "abcdefghijklmnopqrstuvwxyz",
  "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_",
  "abcdefghijklmnopqrstuvwxyz0123456789!$%&*,;:?^~|.",
];

function secretOf(random: Random): string {
  const alphabet = random.pick(ALPHABETS);
  const length = random.between(12, 40);
  return Array.from({ length }, () => random.pick([...alphabet])).join("");
}

/** Keys that take any text: what stands in them is meant to be shown. */
const FREE_TEXT =
  /^(system|limits\.source|backup\.dir|storage\.dir|update\.|mqtt\.(client_id|username))/;
const READ = CONFIG_KEYS.filter(({ key }) => !FREE_TEXT.test(key));

const SECRET_KEYS = /token|password|tls_/i;

/** A slip in a file of its own, or in the environment, with the secret in it. */
function broken(random: Random, secret: string): Broken {
  const { section, name } = random.pick(READ);
  const quote = random.pick(['"', "'"]);
  const text = quote + secret + quote;
  const key = random.pick(["token", "tokn", "Token", "auth-token", "password", "passwd"]);
  const head = random.pick(["auth", "mqtt", "http", "ath", "secrets", "map.rule"]);
  const values = [secret, text, `${quote}${secret}`, `[${text}]`, `{ x = ${text} }`, `${text} x`];
  const login = random.pick([`plc:${secret}`, secret, `${secret}:x`, `plc:a/${secret}`]);
  const url = `${random.pick(["mqtt", "mqtts", "http", "amqp"])}://${login}@broker:1883`;
  const file = (toml: string): Broken => ({ toml, env: {} });
  const env = (variable: string, value: string): Broken => ({
    toml: "",
    env: { [variable]: value },
  });
  return random.pick<() => Broken>([
    () => file(`[auth]\ntoken = ${secret}`),
    () => file(`[auth]\ntoken = ${quote}${secret} ä${quote}`),
    () => file(`[auth]\ntoken ${random.pick([":", "", "=="])} ${random.pick(values)}`),
    () => file(`[${head}]\n${key} = ${random.pick(values)}`),
    () => file(`[[${head}]]\ntag = "A"\nfield = "B"\n${key} = ${text}`),
    () =>
      file(`[[map.rule]]\ntag = "A"\nfield = ${text}${random.pick([" x", ""])}\nfactor = ${text}`),
    () =>
      file(`[[map.rule]]\ntag = "A"\nfield = "PROCESS_STATE"\nvalues = { ${text} = [${text}] }`),
    () => file(random.pick([secret, text, `${secret} = 1`, `${text} = "token"`, `[${secret}]`])),
    () => file(`[auth.${text}]\nx = 1`),
    () => file(`[${section}]\n${name} = ${random.pick(values)}`),
    () =>
      file(`[mqtt]\nurl = ${random.pick([quote + url + quote, url, `[${quote}${url}${quote}]`])}`),
    () => file(`[http]\n${random.pick(["cors_origins", "listen", "allowed_hosts"])} = "${url}"`),
    () => inHost(random, secret),
    () => file(`[mqtt]\nusername = "plc"\npassword_file = "${secret.replaceAll("/", "-")}"`),
    () =>
      file(
        `[${random.pick(["http", "mqtt"])}]\ntls_cert = "a"\n` +
          `tls_key = "${secret.replaceAll("/", "-")}"`,
      ),
    () => file(`[http]\ntls_cert = "a"\ntls_key = """-----BEGIN PRIVATE KEY-----\n${secret}\n"""`),
    () => env(variableOf(section, name), random.pick([secret, url, `${secret} ä`])),
    () => env(`BALLASTD_${secret.toUpperCase().replace(/[^A-Z0-9]/g, "7")}`, secret),
    () => env(`BALLASTD_${key.toUpperCase()}`, secret),
    () => env("BALLASTD_MAP_RULE", random.pick([secret, `[{"tag":"A","${secret}":1}]`])),
  ])();
}

/** The secret in a host's place: of a URL, or of an address to listen on. */
function inHost(random: Random, secret: string): Broken {
  const name = secret.replace(/[^A-Za-z0-9.-]/g, "7");
  const address = `${name}:${random.pick(["1883", "99999", "x"])}`;
  const url = `${random.pick(["mqtt", "http", "postgres", "https"])}://${random.pick([
    ...[name, `u@${name}`, `u:p@${name}`, `u:p@${name}/w@host`, `${address}/x`, `${name}?x`],
    ...[`${name}#x`, `${name}/x`],
  ])}`;
  const line = random.pick([
    ...["[mqtt]\nurl", "[sparkplug]\nurl", "[shore]\nurl", "[shore]\nobjects"].map(
      (key) => `${key} = "${url}"`,
    ),
    ...["http", "mqtt", "modbus"].map((section) => `[${section}]\nlisten = "${address}"`),
    `[http]\nlisten = "${address}"\n[modbus]\nlisten = "${address}"`,
    `[mqtt]\nmode = "client"\ntls_ca = "a"\nurl = "mqtt://${name}"`,
  ]);
  return { toml: line, env: {} };
}

/** The secret or a half of it, whatever its case; null when none is in `text`. */
function leakOf(text: string, secret: string): string | null {
  const half = Math.floor(secret.length / 2);
  const parts = [secret.slice(0, half), secret.slice(half)];
  const lower = text.toLowerCase();
  return parts.find((part) => lower.includes(part.toLowerCase())) ?? null;
}

/** Everything that is said of a configuration in this process. */
function said({ toml, env }: Broken, folder: string): readonly string[] {
  const file = path.join(folder, "ballastd.toml");
  writeFileSync(file, toml);
  const source = { file, env, defaultFile: null };
  const texts: string[] = [];
  const tell = (say: () => unknown) => {
    try {
      texts.push(JSON.stringify(say()) ?? "");
    } catch (error) {
      texts.push(error instanceof Error ? `${messageOf(error)} ${error.stack}` : String(error));
    }
  };
  tell(() => shownConfig(loadConfig(source)));
  const [problem] = texts;
  const readable = readableConfig(source);
  const page = {
    problem,
    error: null,
    readable,
    build: readBuild(),
    canRead: false,
    needsToken: false,
  };
  for (const { bytes } of recoveryFiles(page).values()) texts.push(bytes.toString());
  const { config }: { config: Config } = readable;
  tell(() => openMap(config.map, oursFilter(config.mqtt, config.system)).filters);
  tell(() => readPassword(config.mqtt.password_file) === "");
  tell(() => openCertificates(config, { clock: systemClock, log: SILENT }).all.length);
  const token_file = path.join(folder, "token");
  tell(() => readToken({ ...config, auth: { ...config.auth, token_file } }, SILENT) === "");
  return texts;
}

test("500 broken configurations with a secret in them say nothing of it", () => {
  const random = printedRandom("secrets in configurations");
  const folder = newFolder();
  let refused = 0;
  while (refused < 500) {
    const secret = secretOf(random);
    const given = broken(random, secret);
    const texts = said(given, folder);
    const isRefused = texts[0]?.startsWith("configuration: ");
    if (isRefused) refused += 1;
    // A name of the ship's own may be shown, and a host that can be one.
    else if (!SECRET_KEYS.test(JSON.stringify(given))) continue;
    for (const text of texts)
      expect({ given, text, leak: leakOf(text, secret) }).toEqual({ given, text, leak: null });
  }
});

test("a token in a file that is none is not shown either", () => {
  const folder = newFolder();
  const token_file = path.join(folder, "token");
  writeFileSync(token_file, "hunter2 with blanks\n");
  const { config } = loadConfig({ file: null, env: {}, defaultFile: null });
  const read = () => readToken({ ...config, auth: { ...config.auth, token_file } }, SILENT);
  expect(read).toThrow(/^configuration: auth\.token_file: the first line of .*token expected 16/);
  expect(read).not.toThrow(/hunter2/);
});

test.each([
  ["an unquoted token", (secret: string) => `[auth]\ntoken = ${secret}\n`],
  ["a misspelt key", (secret: string) => `[auth]\ntokn = "${secret}"\n`],
  ["a login in the URL", (secret: string) => `[mqtt]\nurl = "mqtt://plc:${secret}@broker"\n`],
  [
    "a password as a file",
    (secret: string) => `[mqtt]\nusername = "plc"\npassword_file = "${secret}"\n`,
  ],
])(
  "with %s neither log, page, /readyz, commands nor the support bundle have it",
  async (_, toml) => {
    const secret = secretOf(printedRandom("a planted secret")).replace(/[^A-Za-z0-9]/g, "8");
    const folder = newFolder();
    writeFileSync(path.join(folder, "ballastd.toml"), `${toml(secret)}[log]\nlevel = "debug"\n`);
    await using program = startProgram({ args: ["serve", "--recovery"], folder });
    const [, url] = await program.waitForOutput(/^RECOVERY: .*\nweb: (\S+)\/$/m);
    const texts: string[] = [];
    for (const page of ["/", "/readyz", "/metrics", "/api/telemetry/latest", "/docs"])
      texts.push(await (await fetch(url + page)).text());
    for (const args of [
      ["check"],
      ["config", "show", "--origin"],
      ["support", "out.zip"],
      ["serve"],
    ]) {
      if (args[0] === "serve" && !/url|tok/.test(toml(""))) continue;
      const { stdout, stderr } = await runProgram({ args, folder });
      texts.push(stdout, stderr);
    }
    const bundle = unzipped(readFileSync(path.join(folder, "out.zip")));
    texts.push(...bundle.values(), program.stdout(), program.stderr());
    expect(texts.join("").length).toBeGreaterThan(2000);
    expect(texts.filter((text) => leakOf(text, secret) !== null)).toEqual([]);
    rmSync(path.join(folder, "out.zip"));
  },
);
