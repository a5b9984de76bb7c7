// `ballastd ledger`: signs and prints heads of the ledger, makes proofs of its entries, checks
// proofs and heads, and exchanges the key.

import { signedHead } from "../../app/instance.ts";
import type { Config } from "../../config/config.ts";
import { EXIT, Failure } from "../../ground/errors.ts";
import type { SignedHead } from "../../sqlite/records/head-rows.ts";
import { headAnswer, ledgerKeys } from "../../sqlite/records/ledger-answers.ts";
import { printResult } from "../document.ts";
import { configOf, readDatabase } from "../instance-data.ts";
import { checkLedger } from "../ledger-check.ts";
import { LEDGER_LINE, type LedgerOptions } from "../ledger-options.ts";
import { prove } from "../ledger-prove.ts";
import { readLine, wrongAction } from "../options.ts";
import { refuseOverwriting, STDOUT, writeTexts } from "../output-file.ts";

export const summary = "sign and print heads of the ledger, prove what is in it, check proofs";

export const help = `usage: ballastd ledger head [FILE] [--force] [--json] [--config FILE]
       ballastd ledger prove KIND NUMBER [--since SIZE] [--output FILE] [options]
       ballastd ledger prove readings --lines FILE [--from TIME] [--to TIME] [options]
       ballastd ledger check [FILE]... [--lines FILE] [--key KEY]... [--claim LEAF]...
                            [--ship IMO]
       ballastd ledger rotate [--json] [--config FILE]

The ledger is one Merkle tree over all that must not change: sealed readings, events, the audit log.
A head is its size and root, signed with the key in the data folder. Whoever has kept a head, on
paper or in a mail, can find out later if anything from before it was altered. docs/ledger.md has
the forms, and docs/verify-ledger.py checks them on a computer without ballastd.

  head    has a head signed and prints it; with FILE writes it there, with FILE.sig and
          FILE.allowed_signers beside it for ssh-keygen. The ledger notes that it was given out
  prove   writes the proof that a link of a chain, or a statement, is in the newest head: KIND is
          segment, event, audit, key, head, verdict or given (verdicts that left the ship), NUMBER
          its number. Of readings it writes the sealed ones of a range to --lines FILE, as export
          does in NDJSON, and a proof of these lines
  check   without FILE verifies the ledger aboard; else proofs, and heads that were kept
  rotate  exchanges the key; the old one signs the statement about the new one

  --since SIZE    of prove, also prove that the tree only grew since it had so many leaves
  --from TIME     of prove readings, first instant, ISO 8601, UTC unless it has a zone
  --to TIME       of prove readings, last instant, included; a date alone means its end
  --lines FILE    the lines of readings: of prove to be written, of check to be read
  --key KEY       of check, a key that is trusted (name+id+key); the keys aboard by default
  --claim LEAF    of check, what the proof has to prove, such as "event 12"
  --ship IMO      of check, the IMO number of the ship whose ledger the proof has to be of
  --output FILE   of prove, the file; - or without it the standard output
  --force         overwrite files
  --json          one JSON object; prove writes its proof in any case
  --config FILE   the configuration of the instance`;

/** The options that each action takes beside the common ones. */
const TAKEN: Readonly<Record<string, readonly string[]>> = {
  head: ["force"],
  prove: ["since", "from", "to", "lines", "output", "force"],
  check: ["lines", "key", "claim", "ship"],
  rotate: [],
};

export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = readLine(args, LEDGER_LINE);
  const [action = "", ...rest] = positionals;
  const taken = TAKEN[action];
  if (taken === undefined) throw wrongAction("ledger", action, "head, prove, check or rotate");
  const odd = Object.keys(LEDGER_LINE).find(
    (name) => !taken.includes(name) && isGiven(Object.entries(values), name),
  );
  if (odd !== undefined)
    throw new Failure(EXIT.usage, `ledger ${action} --${odd}: isn't an option of it`);
  switch (action) {
    case "head":
      return head(values, rest);
    case "prove":
      return prove(values, rest);
    case "check":
      return checkLedger(values, rest);
    default:
      return rotate(values, rest);
  }
}

function isGiven(values: readonly (readonly [string, unknown])[], name: string): boolean {
  return values.some(([given, value]) => given === name && value !== undefined && value !== false);
}

async function head(values: LedgerOptions, rest: readonly string[]): Promise<void> {
  const [file, ...more] = rest;
  if (more.length > 0)
    throw new Failure(EXIT.usage, `ledger head ${rest.join(" ")}: expected one FILE at most`);
  const files = [file ?? STDOUT, `${file}.sig`, `${file}.allowed_signers`];
  if (file !== undefined) for (const name of files) refuseOverwriting(name, values);
  const config = configOf(values);
  const told = answerOf(config, await signedHead(config, (instance) => instance.sign("print")));
  if (file === undefined) {
    printResult(values.json, told, told.checkpoint);
    return;
  }
  const texts = [told.checkpoint, told.ssh_signature, `${told.allowed_signers}\n`];
  for (const [index, name] of files.entries()) await writeTexts(name, [texts[index]]);
  printResult(values.json, { ...told, files }, headText(told, file));
}

function headText({ size, origin, verifier_key }: ReturnType<typeof answerOf>, file: string) {
  return [
    `${file}: a head of ${size} leaves`,
    `verifier key: ${verifier_key}`,
    `ssh-keygen -Y verify -f ${file}.allowed_signers -I ${origin} -n ballastd-ledger ` +
      `-s ${file}.sig < ${file}`,
  ].join("\n");
}

async function rotate(values: LedgerOptions, rest: readonly string[]): Promise<void> {
  if (rest.length > 0)
    throw new Failure(EXIT.usage, `ledger rotate ${rest.join(" ")}: expected no further word`);
  const config = configOf(values);
  const told = answerOf(config, await signedHead(config, (instance) => instance.rotate()));
  printResult(values.json, told, `heads are signed by ${told.verifier_key} from here on`);
}

function answerOf(config: Config, signed: SignedHead) {
  return headAnswer(signed, readDatabase(config, ledgerKeys));
}
