// --json of every command that has it: the standard output is one JSON document, of a result, of a
// failure, and beside warnings.

import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { allCommands } from "../../src/cli/commands/commands.ts";
import { startAppliance } from "../oracle/appliance.ts";
import { foldersOfTests } from "../rig/folders.ts";
import { runProgram } from "../rig/program.ts";

const newFolder = foldersOfTests();

/** The name of every command whose help names --json. */
async function commandsWithJson(): Promise<readonly string[]> {
  return (await allCommands())
    .filter(([, { help }]) => /^ {2}--json\b/m.test(help))
    .map(([name]) => name);
}

type Case = readonly [command: string, exitCode: number];

const BOOK = "code,start,end\nA,2026-05-01 10:00,2026-05-01 11:00\n";

/** With an instance that runs, and a message in quarantine. */
const CASES: readonly Case[] = [
  ["quarantine list --limit 1", 0],
  ["quarantine replay", 1], // something is left
  ["quarantine replay --id 99", 1], // no such entry
  ["backup b.db", 0],
  ["backup --list .", 0],
  ["check", 0],
  ["clock list", 0],
  ["clock disown --reason x", 1], // nothing to disown
  ["config show", 0],
  ["config set limits.uv_imo 300", 0],
  ["config set limits.uv_imo much", 78],
  ["config unset limits.uv_imo", 0],
  ["alarm list", 0],
  ["alarm acknowledge own-1", 1], // there is none
  ["lamp list", 0],
  ["lamp replaced 3 --at 2026-05-01", 0],
  ["log", 0],
  ["log --level debug", 0],
  ["map try --topic bwts/BWTS-001/telemetry --payload message.json", 0],
  ["map try --seconds 1", 0], // no message comes
  ["operations", 0],
  ["operations 1", 1], // there is none
  ["import message.ndjson", 0],
  ["record-book", 0],
  ["record-book --from yesterday", 2],
  ["reconcile book.csv", 1], // the log has no such operation
  ["reconcile none.csv", 74], // there is no such file
  ["inspection", 0],
  ["restore b.db --try", 0],
  ["support s.zip", 0],
  ["token add --name mate --role viewer", 0],
  ["token list", 0],
  ["token revoke mate", 0],
  ["verify", 0],
  ["ledger head", 0],
  ["ledger check", 0],
  ["ledger prove audit 1", 0],
  ["ledger prove event 99", 1], // there is none
  ["ledger rotate", 0],
  ["version", 0],
  ["void --from 2026-05-01 --to 2026-05-02 --reason x", 0],
  ["void list", 0],
  ["void undo 9", 1],
  ["shore status", 0],
  ["fleet list --database postgres://127.0.0.1:1/fleet", 69], // no server
  // Refused while it runs, or with what is there.
  ["salvage", 75],
  ["rollback", 1],
  ["update none.bin", 1],
  // Wrong usage, and a configuration that can't be read.
  ["verify --nonsense", 2],
  ["export nonsense", 2],
  ["void list --config none.toml", 78],
];

test("every command that has --json is tried here", async () => {
  const tried = new Set(CASES.map(([command]) => command.split(" ")[0]));
  expect([...tried].filter((name) => name !== "export").sort()).toEqual(
    [...(await commandsWithJson())].sort(),
  );
});

test("stdout holds one JSON document, whatever comes of the command", async () => {
  const folder = newFolder();
  await using appliance = await startAppliance({ folder });
  await appliance.publish([{ kind: "telemetry", payload: "{" }]);
  const reading = JSON.stringify({ timestamp: "2026-05-01T10:00:00Z", UVR_INTENSITY: 648.5 });
  for (const name of ["message.json", "message.ndjson"])
    writeFileSync(path.join(folder, name), `${reading}\n`);
  writeFileSync(path.join(folder, "book.csv"), BOOK);
  const ended: Case[] = [];
  for (const [command] of CASES) {
    const args = [...command.split(" "), "--json"];
    const { code, stdout, stderr } = await runProgram({ args, folder });
    ended.push([command, code ?? -1]);
    const document = parsed(stdout);
    expect(document, `${command}: ${stdout}${stderr}`).not.toBeUndefined();
    if (!stdout.startsWith('{"error"')) continue;
    expect(document).toEqual({ error: code, message: expect.any(String) });
    expect(stderr).toContain("ballastd: ");
  }
  expect(ended).toEqual(CASES);
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
