// `--ship` of both verifiers, `ballastd ledger check` and docs/verify-ledger.py: a proof of another
// ship's ledger is refused, and so is one that names no ship, or a verdict of another ship. A
// verdict of an older version of the rules and of the statement is proven as one of today is.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { OPERATION_EXAMPLE } from "../../src/bwts/operations/operation-example.ts";
import { RULES_VERSION } from "../../src/bwts/operations/rules.ts";
import { appendStatement } from "../../src/sqlite/file/ledger.ts";
import { write } from "../../src/sqlite/file/open.ts";
import { verdictStatement } from "../../src/sqlite/records/operation-rows.ts";
import { SHIP, SHIP_NAMED } from "../rig/altered-office.ts";
import { openRig, removeFolders, temporaryFolder } from "../rig/database.ts";
import { runProgram } from "../rig/program.ts";

const VERIFIER = path.join(import.meta.dirname, "../../docs/verify-ledger.py");
const OTHER = "9176187";
const AT_MS = Date.UTC(2026, 4, 1);

afterAll(removeFolders);

/** A proof of the only verdict of the ship `imo`, none if it is empty; its record is changed. */
async function proofOf(imo: string, changed: object): Promise<string> {
  const { versions: _, ...example } = OPERATION_EXAMPLE;
  const record = JSON.stringify({ ...example, ...changed });
  const told = { because: "the operation ended", made_ms: AT_MS, version: 1, record };
  const rig = openRig();
  write(rig.db, () => appendStatement(rig.db, "verdict", verdictStatement(told)));
  rig.close();
  const file = path.join(temporaryFolder(), "proof.json");
  const env = { BALLASTD_STORAGE_DIR: rig.dir, BALLASTD_SYSTEM_IMO: imo };
  const args = ["ledger", "prove", "verdict", "1", "--output", file];
  const made = await runProgram({ args, env });
  expect(made.code, made.stderr).toBe(0);
  return file;
}

/** The exit codes of both verifiers, and their words, for a proof and the key that it names. */
async function verified(proof: string, ...options: readonly string[]) {
  const { keys } = JSON.parse(readFileSync(proof, "utf8"));
  const [, key] = /^key (.*)$/m.exec(keys[0].statement) ?? [];
  const given = ["--key", key, ...options];
  const env = { BALLASTD_STORAGE_DIR: temporaryFolder() };
  const { code, stdout } = await runProgram({ args: ["ledger", "check", proof, ...given], env });
  return { program: [code, stdout], script: script("--proof", proof, ...given) };
}

function script(...args: readonly string[]) {
  try {
    return [0, execFileSync("python3", ["-I", VERIFIER, ...args], { encoding: "utf8" })];
  } catch (error) {
    const { status, stdout } = Object(error);
    return [status, stdout];
  }
}

const both = (code: number, text: string) => {
  const said = [code, expect.stringContaining(text)];
  return { program: said, script: said };
};

test("--ship takes a proof of the ship's own ledger, and refuses all others", async () => {
  const own = await proofOf(SHIP, { ship: SHIP_NAMED });
  expect(await verified(own, "--ship", SHIP)).toEqual(both(0, "all of this is proven"));
  expect(await verified(own, "--ship", OTHER)).toEqual(
    both(1, `it is the ledger of the ship ${SHIP}, not of ${OTHER}`),
  );
  const unnamed = await proofOf("", {});
  expect(await verified(unnamed)).toEqual(both(0, "all of this is proven"));
  expect(await verified(unnamed, "--ship", SHIP)).toEqual(
    both(1, "the ledger doesn't name the ship"),
  );
  const foreign = await proofOf(SHIP, { ship: { ...SHIP_NAMED, imo: OTHER } });
  expect(await verified(foreign, "--ship", SHIP)).toEqual(
    both(1, `verdict 1: is of the ship ${OTHER}, not of ${SHIP}`),
  );
});

test("verdicts of older rules are proven too, and each names its rules' version", async () => {
  const limits = [{ name: "uv_imo", value: 252, source: "certificate" }];
  for (const [verdict, format, rules] of [
    [{}, 2, RULES_VERSION],
    [{ rules_version: 3 }, 2, 3],
    [{ rules_version: 1, limits }, 1, 1],
  ] as const) {
    const proof = await proofOf(SHIP, verdict);
    const told = await verified(proof, "--ship", SHIP, "--claim", "verdict 1");
    expect(told).toEqual(both(0, `"format":"ballastd verdict ${format}"`));
    expect(told).toEqual(both(0, `"rules_version":${rules}`));
  }
});
