// Carries out the control socket's commands with the writer. A running instance does so for a
// command; if none runs, the command does it itself with its own writer, by the same code.

import type { By } from "../../bwts/audit.ts";
import { wordOf } from "../../bwts/lamps/word.ts";
import { TOKENS_MAX } from "../../bwts/token.ts";
import { EXIT, Failure } from "../../ground/errors.ts";
import type { Writer } from "../../sqlite/threads/writer.ts";
import type { WriterRequest } from "./protocol.ts";

/** Resolves with the command's result; throws a Failure for mistakes that the user can correct. */
export async function carryOut(request: WriterRequest, writer: Writer, by: By): Promise<unknown> {
  switch (request.command) {
    case "import":
      return writer.importRecords(request.records);
    case "audit": {
      const { kind, detail } = request;
      await writer.audit([{ ...by, at_ms: Date.now(), kind, detail }]);
      return null;
    }
    case "lamp_word": {
      const word = wordOf(request.position, request.word);
      const problem = await writer.saveLampWord(word, by);
      if (problem !== null) throw new Failure(EXIT.failed, `--${problem}`);
      return null;
    }
    case "void": {
      const { command: _, ...given } = request;
      return done("void", await writer.addVoid(given, by));
    }
    case "undo_void":
      return done(`void ${request.id}`, await writer.undoVoid(request.id, by));
    case "disown":
      return done("clock disown", await writer.disownReceipts(request.reason, by));
    case "replay": {
      const { isTrial, ...asked } = request;
      return writer.replay(asked, { by, isTrial });
    }
    case "token_add":
      return addToken(request, writer, by);
    case "token_revoke": {
      const { name } = request;
      if (await writer.revokeToken(name, by)) return null;
      throw new Failure(EXIT.failed, `token ${name}: there is none of that name, see token list`);
    }
  }
}

function done<Outcome extends object>(what: string, outcome: Outcome): Outcome {
  if ("problem" in outcome) throw new Failure(EXIT.failed, `${what}: ${outcome.problem}`);
  return outcome;
}

async function addToken(
  { name, role, sha256 }: Extract<WriterRequest, { command: "token_add" }>,
  writer: Writer,
  by: By,
): Promise<null> {
  const token = { name, role, hash: Buffer.from(sha256, "hex"), added_ms: Date.now() };
  switch (await writer.addToken(token, by)) {
    case "added":
      return null;
    case "name_taken":
      throw new Failure(EXIT.failed, `token ${name}: is there already, expected a new name`);
    case "too_many":
      throw new Failure(EXIT.failed, `token ${name}: there are ${TOKENS_MAX} already, revoke some`);
  }
}
