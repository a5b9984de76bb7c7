// Proofs, lines and heads that were altered after they left the ship: both verifiers find each, and
// say what is wrong. TEST_MUTATIONS sets how many are tried.

import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import path from "node:path";
import { expect, test } from "vitest";
import * as z from "zod";
import { openSigner } from "../../../src/app/control/signer.ts";
import { BY_SELF } from "../../../src/bwts/audit.ts";
import { OPERATION_EXAMPLE } from "../../../src/bwts/operations/operation-example.ts";
import { DAY_MS, MINUTE_MS } from "../../../src/ground/clock.ts";
import { checkProof } from "../../../src/ledger/check-proof.ts";
import { readCheckpoint, signedCheckpoint } from "../../../src/ledger/checkpoint.ts";
import { readVerifierKey, verifierKey } from "../../../src/ledger/note.ts";
import { LedgerProof, proofText } from "../../../src/ledger/proof.ts";
import { appendStatement } from "../../../src/sqlite/file/ledger.ts";
import { write } from "../../../src/sqlite/file/open.ts";
import { ledgerKeys } from "../../../src/sqlite/records/ledger-answers.ts";
import { ledgerNow, storeHead, storeKey } from "../../../src/sqlite/records/ledger-heads.ts";
import { makeProof } from "../../../src/sqlite/records/ledger-proofs.ts";
import { verdictStatement } from "../../../src/sqlite/records/operation-rows.ts";
import { sealedRuns } from "../../../src/sqlite/records/sealed-rows.ts";
import { rigsOfTests } from "../../rig/database.ts";
import { AT_MS, messageOf, RECEIVED_MS } from "../../rig/decoding.ts";
import { UNNAMED } from "../../rig/ledger-signer.ts";
import { printedRandom, type Random } from "../../rig/random.ts";

const MUTATIONS = Number(process.env.TEST_MUTATIONS ?? 300);
const docs = path.join(import.meta.dirname, "../../../docs");
const oracle = path.join(import.meta.dirname, "../../oracle/check_mutations.py");
const rigOf = rigsOfTests();

/** The files that a stranger has. */
interface Case {
  readonly proof: Buffer;
  readonly lines: Buffer;
  readonly heads: readonly Buffer[];
}

interface Given extends Case {
  readonly keys: readonly string[];
  readonly claims: readonly string[];
  /** Other heads of the same ship. */
  readonly others: readonly string[];
}

/** A ship with three segments, whose key was rotated, and whose database was put back once. */
async function exported(): Promise<Given> {
  const { db, dir, store } = rigOf();
  const signer = openSigner({
    ...{ dir, ship: UNNAMED, now_ms: () => RECEIVED_MS, onOrigin: () => {} },
    ledger: {
      now: async (before) => ledgerNow(db, before),
      storeKey: async (statement) => storeKey(db, statement),
      storeHead: async (head) => storeHead(db, head),
    },
  });
  const heads: string[] = [];
  const stated = verdictStatement({
    ...{ because: "the operation ended", made_ms: AT_MS, version: 1 },
    record: JSON.stringify(OPERATION_EXAMPLE),
  });
  write(db, () => appendStatement(db, "verdict", stated));
  for (let part = 0; part < 3; part += 1) {
    const at_ms = AT_MS - (3 - part) * DAY_MS;
    const readings = Array.from({ length: 21 + part }, (_, index) =>
      messageOf("telemetry", {
        timestamp: at_ms + index * MINUTE_MS,
        SYS_PRESSURE: 4 + index / 10,
      }),
    );
    const stop = { timestamp: at_ms, event_type: "PROCESS_STOP", data: { part, port: "Pusan ö" } };
    store.commit([messageOf("events", stop), ...readings]);
    while (store.sealOld(RECEIVED_MS + DAY_MS));
    store.audit([{ ...BY_SELF, at_ms, kind: "export", detail: { part } }], RECEIVED_MS);
    heads.push((await signer.sign("stop")).checkpoint);
    if (part === 0) heads.push((await signer.rotate()).checkpoint);
  }
  const ever = { start_ms: AT_MS - 3 * DAY_MS + 3 * MINUTE_MS, end_ms: AT_MS };
  const runs = [...sealedRuns(db, ever)];
  const kept = readCheckpoint(heads[1]);
  const asked = [
    ...(["event", "audit", "segment", "key"] as const).map((kind) => ({ kind, number: 2 })),
    ...(["head", "verdict"] as const).map((kind) => ({ kind, number: 1 })),
  ];
  const proof = makeProof(db, { leaves: asked, rows: runs, since: kept.size });
  return {
    proof: Buffer.from(proofText(proof)),
    lines: Buffer.concat(runs.flatMap(({ lines }) => lines)),
    heads: [Buffer.from(heads[1])],
    keys: [verifierKey(ledgerKeys(db)[0])],
    claims: asked.map(({ kind, number }) => `${kind} ${number}`),
    others: heads,
  };
}

const withProof = (given: Case, change: (proof: LedgerProof) => LedgerProof): Case => {
  const proof = LedgerProof.parse(JSON.parse(given.proof.toString()));
  return { ...given, proof: Buffer.from(proofText(change(proof))) };
};

function flipped(bytes: Buffer, random: Random): Buffer {
  const copy = Buffer.from(bytes);
  copy[random.between(0, bytes.length - 1)] ^= 1 << random.between(0, 7);
  return copy;
}

const without = <Item>(items: readonly Item[], at: number) =>
  items.filter((_, index) => index !== at);

function swapped<Item>(items: readonly Item[], random: Random): Item[] {
  const copy = [...items];
  const [one, other] = [random.between(0, copy.length - 1), random.between(0, copy.length - 1)];
  [copy[one], copy[other]] = [copy[other], copy[one]];
  return copy;
}

const linesIn = (lines: Buffer) => lines.toString().split(/(?<=\n)/);
const joined = (lines: readonly string[]) => Buffer.from(lines.join(""));
const { privateKey: secret } = generateKeyPairSync("ed25519");

/** The ways in which something may be altered. */
const WAYS: Readonly<Record<string, (given: Given, random: Random) => Case>> = {
  "a bit of the proof": (given, random) => ({ ...given, proof: flipped(given.proof, random) }),
  "a bit of a line": (given, random) => ({ ...given, lines: flipped(given.lines, random) }),
  "a bit of a head": (given, random) => ({ ...given, heads: [flipped(given.heads[0], random)] }),
  "a character less": (given, random) => {
    const at = random.between(0, given.proof.length - 1);
    const { proof } = given;
    return { ...given, proof: Buffer.concat([proof.subarray(0, at), proof.subarray(at + 1)]) };
  },
  "the proof cut": (given, random) => {
    const end = random.between(0, given.proof.length - 1);
    return { ...given, proof: given.proof.subarray(0, end) };
  },
  "the lines cut": (given, random) => {
    const end = random.between(0, given.lines.length - 1);
    return { ...given, lines: given.lines.subarray(0, end) };
  },
  "a line dropped": (given, random) => {
    const lines = linesIn(given.lines);
    return { ...given, lines: joined(without(lines, random.between(0, lines.length - 1))) };
  },
  "lines swapped": (given, random) => ({
    ...given,
    lines: joined(swapped(linesIn(given.lines), random)),
  }),
  "a line twice": (given) => ({
    ...given,
    lines: joined([linesIn(given.lines)[0], `${given.lines}`]),
  }),
  "a leaf dropped": (given, random) =>
    withProof(given, (proof) => ({
      ...proof,
      leaves: without(proof.leaves, random.between(0, proof.leaves.length - 1)),
    })),
  "a key dropped": (given, random) =>
    withProof(given, (proof) => ({
      ...proof,
      keys: without(proof.keys, random.between(0, proof.keys.length - 1)),
    })),
  "leaves swapped": (given, random) =>
    withProof(given, (proof) => {
      const texts = swapped(
        proof.leaves.map(({ leaf }) => leaf),
        random,
      );
      return { ...proof, leaves: proof.leaves.map((one, at) => ({ ...one, leaf: texts[at] })) };
    }),
  "contents swapped": (given, random) =>
    withProof(given, (proof) => {
      const abouts = swapped(
        proof.leaves.map(({ about }) => about),
        random,
      );
      return { ...proof, leaves: proof.leaves.map((one, at) => ({ ...one, about: abouts[at] })) };
    }),
  "hashes of a path swapped": (given, random) =>
    withProof(given, (proof) => {
      const at = random.between(0, proof.leaves.length - 1);
      const leaves = proof.leaves.map((one, index) =>
        index === at ? { ...one, path: swapped(one.path, random) } : one,
      );
      return { ...proof, leaves };
    }),
  "runs of lines swapped": (given, random) =>
    withProof(given, (proof) => ({ ...proof, rows: swapped(proof.rows, random) })),
  "a run of lines twice": (given) => {
    const proof = LedgerProof.parse(JSON.parse(given.proof.toString()));
    const [first] = proof.rows;
    const twice = linesIn(given.lines).slice(0, first.count);
    return {
      ...given,
      proof: Buffer.from(proofText({ ...proof, rows: [first, ...proof.rows] })),
      lines: joined([...twice, `${given.lines}`]),
    };
  },
  "bytes moved from a hash into a header": (given, random) =>
    withProof(given, (proof) => ({
      ...proof,
      leaves: proof.leaves.map((one) => {
        if (one.about === null || !("header" in one.about)) return one;
        const { header, payload_hash, previous } = one.about;
        const bytes = (text: string) => Buffer.from(text, "base64");
        const all = Buffer.concat([header, payload_hash, previous].map(bytes));
        const end = bytes(header).length + random.between(1, 64);
        const parts = [all.subarray(0, end), all.subarray(end), Buffer.of()];
        const [more, less, none] = parts.map((part) => part.toString("base64"));
        return { ...one, about: { header: more, payload_hash: less, previous: none } };
      }),
    })),
  "lists in lists": (given, random) => {
    const depth = random.between(10_000, 100_000);
    const text = `{"proof":${"[".repeat(depth)}${"]".repeat(depth)}}\n`;
    return { ...given, proof: Buffer.from(text) };
  },
  "no growth": (given) => withProof(given, (proof) => ({ ...proof, earlier: null })),
  "another number": (given, random) => {
    const numbers = [
      ...given.proof.toString().matchAll(/(?<="(?:index|from|count|size|leaf)":)\d+/g),
    ];
    const one = numbers[random.between(0, numbers.length - 1)];
    const text = given.proof.toString();
    const rest = text.slice(one.index + one[0].length);
    const changed = `${text.slice(0, one.index)}${Number(one[0]) + 1}${rest}`;
    return { ...given, proof: Buffer.from(changed) };
  },
  "an old head": (given, random) =>
    withProof(given, (proof) => ({ ...proof, head: given.others[random.between(0, 2)] })),
  "the head kept is another": (given, random) => ({
    ...given,
    heads: [Buffer.from(given.others[random.between(0, 1) * 2])],
  }),
  "a foreign key's head": (given) =>
    withProof(given, (proof) => {
      const head = readCheckpoint(proof.head);
      return { ...proof, head: signedCheckpoint(head, { name: head.origin, secret }) };
    }),
  "a foreign key's head, kept": (given) => {
    const head = readCheckpoint(given.heads[0].toString());
    const signer = { name: head.origin, secret };
    return { ...given, heads: [Buffer.from(signedCheckpoint(head, signer))] };
  },
};

/** The program's answer to a case; null if it is proven. */
function checked({ proof, lines, heads }: Case, { keys, claims }: Given): string | null {
  try {
    const texts = heads.map((head) => head.toString());
    const trusted = keys.map(readVerifierKey);
    checkProof({ proof: proof.toString(), lines, heads: texts, trusted, claims });
    return null;
  } catch (error) {
    return error instanceof Error ? `${error.constructor.name}: ${error.message}` : "?";
  }
}

function checkedByPython(cases: readonly Case[], { keys, claims }: Given) {
  const base64 = ({ proof, lines, heads }: Case) => ({
    ...{ keys, claims, proof: proof.toString("base64"), lines: lines.toString("base64") },
    heads: heads.map((head) => head.toString("base64")),
  });
  const said = execFileSync("python3", [oracle, path.join(docs, "verify-ledger.py")], {
    input: JSON.stringify(cases.map(base64)),
    maxBuffer: 1 << 28,
  });
  return z.array(z.string().nullable()).parse(JSON.parse(said.toString()));
}

const isSameCase = (one: Case, other: Case) =>
  one.proof.equals(other.proof) &&
  one.lines.equals(other.lines) &&
  one.heads.every((head, at) => head.equals(other.heads[at]));

test(`${MUTATIONS} altered proofs, lines and heads are all found and named, by both`, async () => {
  const given = await exported();
  expect(checked(given, given)).toBeNull();
  const random = printedRandom("mutations");
  const ways = Object.entries(WAYS);
  const cases: { readonly name: string; readonly altered: Case }[] = [];
  for (let at = 0; cases.length < MUTATIONS; at += 1) {
    const [name, alter] = ways[at % ways.length];
    const altered = alter(given, random);
    if (!isSameCase(altered, given)) cases.push({ name, altered });
  }
  const [whole, ...python] = checkedByPython(
    [given, ...cases.map(({ altered }) => altered)],
    given,
  );
  expect(whole).toBeNull();
  const unfound = cases.flatMap(({ name, altered }, at) => {
    const said = [checked(altered, given), python[at]];
    const areNamed = said[0]?.startsWith("BadNote: ") && said[1] !== null && said[1] !== "";
    return areNamed ? [] : [{ name, said }];
  });
  expect(unfound).toEqual([]);
});
