// The manual's lines for an office, typed as they stand: the set-up of docs/fleet.md, and the
// questions over two servers of docs/fleet-office.md. Of the machine only what a test can't change
// is replaced: packages are installed, a cluster in a folder is the server, its address the name.

import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fleetSchema } from "../../src/office/schema.ts";
import { foldersOfTests } from "../rig/folders.ts";
import { type Cluster, startCluster } from "../rig/postgresql.ts";
import { newestPrograms } from "../rig/postgresql-programs.ts";
import { EXECUTABLE, PROGRAM, type Program, startProgram } from "../rig/program.ts";

const LINES_MAX = 8;
const newFolder = foldersOfTests(afterAll);
let cluster: Cluster;
let aboard: Program;
let type: (line: string) => ReturnType<typeof spawnSync>;

/** The blocks of a language in a page's section. */
function blocksOf(page: string, title: string, language: string): readonly string[] {
  const file = path.resolve(import.meta.dirname, "..", "..", "docs", page);
  const [, section = ""] = readFileSync(file, "utf8").split(`\n## ${title}\n`);
  const [own = ""] = section.split("\n## ");
  const pattern = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "gms");
  return [...own.matchAll(pattern)].map(([, block]) => block);
}

/** As root of a Debian on which the packages are there. */
function toolsOf({ folder, port }: Cluster) {
  const isRoot = process.getuid?.() === 0;
  const as = isRoot ? "setpriv --reuid=postgres --regid=postgres --clear-groups " : "";
  const control = `${as}pg_ctl -D ${folder}/data -w`;
  const own = EXECUTABLE ?? `${process.execPath} ${PROGRAM}`;
  const options = `-k ${folder} -p ${port} -c fsync=off`;
  return {
    sudo: `if [ "$1" = -u ]; then shift 2; exec ${as}"$@"; fi; exec "$@"`,
    "apt-get": '[ "$*" = "install postgresql" ] && command -v initdb',
    dpkg: '[ "$*" = "-i ballastd_*_amd64.deb" ]',
    ballastd: `exec ${own} "$@"`,
    systemctl: `case "$*" in
      "disable --now ballastd") ;;
      "stop postgresql") ${control} stop -m immediate ;;
      "restart postgresql") ${control} stop -m fast > ${folder}/control.log &&
        ${control} -o "${options}" -l ${folder}/server.log start >> ${folder}/control.log ;;
      *) exit 2 ;;
    esac`,
  };
}

beforeAll(async () => {
  cluster = await startCluster();
  const root = newFolder();
  const bin = path.join(root, "bin");
  mkdirSync(bin);
  mkdirSync(path.join(root, "media", "stick"), { recursive: true });
  for (const [name, text] of Object.entries(toolsOf(cluster))) {
    writeFileSync(path.join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(path.join(bin, name), 0o755);
  }
  writeFileSync(path.join(cluster.folder, "server.log"), "");
  chmodSync(path.join(cluster.folder, "server.log"), 0o666);
  const config = path.join(root, "ballastd.toml");
  writeFileSync(config, `[storage]\ndir = "${root}/data"\n`);
  // The ship is another machine, on which the service runs.
  aboard = startProgram({ args: ["serve"], folder: root, env: { BALLASTD_CONFIG: config } });
  await aboard.waitForOutput(/^web: /m);
  const { PGUSER: _, ...place } = cluster.env;
  const env = {
    ...{ ...place, BALLASTD_CONFIG: config },
    PATH: `${bin}:${newestPrograms()}:${process.env.PATH}`,
  };
  const here = (line: string) =>
    line.replaceAll("fleet.example.com", "127.0.0.1").replaceAll("/media/", `${root}/media/`);
  const cwd = path.join(root, "media", "stick");
  type = (line) => spawnSync("sh", ["-e", "-u", "-c", here(line)], { env, cwd, encoding: "utf8" });
});
afterAll(async () => {
  await aboard?.[Symbol.asyncDispose]();
  type?.("systemctl stop postgresql");
  await cluster?.[Symbol.asyncDispose]();
});

test("the lines of the set-up make a server and join a ship", async () => {
  const lines = blocksOf("fleet.md", "Set up", "sh").join("").trim().split("\n");
  expect(lines.length).toBeLessThanOrEqual(LINES_MAX);
  const said: string[] = [];
  for (const line of lines) {
    const { status, stdout, stderr } = type(line);
    expect(status, `${line}: ${stderr}`).toBe(0);
    said.push(`${stdout}`);
  }
  expect(said.at(-2)).toMatch(/^9074729 was added as ship_9074729_1; her key is in 9074729.shore/);
  expect(said.at(-1)).toMatch(/the running instance sends from now on/);
  expect(type("sudo ballastd fleet list").stdout).toMatch(/^9074729 {2}MV Example {2}heard 20/);
  expect((await cluster.psql("show listen_addresses")).trim()).toBe("*");
});

test("a database that holds nothing answers for two servers", async () => {
  const [block] = blocksOf("fleet-office.md", "Many servers", "sql");
  await cluster.psql("create role office login password 'known' in role fleet_reader");
  await cluster.psql("create database two", "postgres");
  await cluster.psql(fleetSchema(), "two");
  await cluster.psql("insert into fleet.ship values ('9176187', 'other', 'MV Two')", "two");
  await cluster.psql("create database office", "postgres");
  // Both servers are this one, and the second's database has another name here.
  const here = block
    .replace(/host 'one\.example\.com'/, `host '127.0.0.1', port '${cluster.port}'`)
    .replace(
      /host 'two\.example\.com', dbname 'fleet'/,
      `host '127.0.0.1', port '${cluster.port}', dbname 'two'`,
    );
  await cluster.psql(here, "office");
  const ships = await cluster.psql("select distinct ship from ships order by ship", "office");
  expect(ships.trim().split("\n")).toEqual(["9074729", "9176187"]);
});
