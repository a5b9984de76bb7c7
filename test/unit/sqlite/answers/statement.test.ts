// The statements of `ballastd sql`: which run, which are refused, and in which words; on a real
// database.

import { expect, test } from "vitest";
import { Failure } from "../../../../src/ground/errors.ts";
import { columnsUsed, splitStatements } from "../../../../src/sqlite/answers/sql-text.ts";
import { runStatement } from "../../../../src/sqlite/answers/statement.ts";
import { databaseFile } from "../../../../src/sqlite/file/open.ts";
import { rigsOfTests } from "../../../rig/database.ts";

const openRig = rigsOfTests();

function failureOf(file: string, statement: string): string {
  try {
    const { rows } = runStatement(file, statement);
    return `answered ${JSON.stringify([...rows])}`;
  } catch (error) {
    if (error instanceof Failure && error.exitCode === 2) return error.message;
    throw error;
  }
}

test("only reads: no other file, no setting, no secret, by no name", () => {
  const file = databaseFile(openRig().dir);
  const refused: Readonly<Record<string, RegExp>> = {
    "insert into plant (name) values ('x')": /^insert: this prompt only reads, expected select/,
    "with t as (select 1) delete from event returning *": /this would write/,
    "attach '/tmp/other.db' as other": /^attach: this prompt only reads/,
    "vacuum into '/tmp/copy.db'": /^vacuum: this prompt only reads/,
    "pragma query_only = off": /^pragma: this prompt only reads.*pragma_table_info/,
    "/* x */ begin": /^begin: this prompt only reads/,
    "create temp table t (a)": /^create: this prompt only reads/,
    "select load_extension('/tmp/x')": /not authorized/,
    "select readfile('/etc/passwd')": /no such function: readfile/,
    "select fts3_tokenizer('simple', x'00')": /fts3tokenize|fts3_tokenizer/,
    "select * from sqlite_dbpage": /no such table: sqlite_dbpage/,
    "select * from token": /^token: can't be read, it holds hashes of secrets; ballastd token list/,
    'select count(*) from main . "TOKEN"': /^token: can't be read/,
    "select (select max(salt) from setting) from (values (1))": /^setting: can't be read/,
    "select 1 union select name from main.[token]": /^token: can't be read/,
    "with t as (select name from token) select 1 where 'a' in t": /^token: can't be read/,
    "explain select 1; select * from token": /more than one statement/,
  };
  for (const [statement, message] of Object.entries(refused))
    expect(failureOf(file, statement), statement).toMatch(message);
});

test("a fault names what was wrong and what is allowed", () => {
  const file = databaseFile(openRig().dir);
  const faults: Readonly<Record<string, RegExp>> = {
    "select x from reading": /^no such column: x; \.schema TABLE lists/,
    "select * from readings": /^no such table: readings; expected reading, or one that \.tables/,
    "select * from reading('yesterday')": /^reading\(yesterday\): expected ISO 8601, such as/,
    "select * from reading(12)": /^reading\(12\): expected ISO 8601/,
    "select * from reading('2026-02-30')": /^reading\(2026-02-30\): expected ISO 8601/,
    "select 'a": /unrecognized token/,
    "select ?": /parameter.*expected values in place of parameters/,
    "select abs(-9223372036854775808)": /integer overflow/,
  };
  for (const [statement, message] of Object.entries(faults))
    expect(failureOf(file, statement), statement).toMatch(message);
});

test("times are printed and read, what is none is null", () => {
  const file = databaseFile(openRig().dir);
  const statement =
    "select utc(0), utc(null), utc('x'), utc(1e300), ms('1970-01-02'), " +
    "ms('1970-01-01T01:00+01:00'), ms('x')";
  const { rows } = runStatement(file, statement);
  expect([...rows]).toEqual([
    ["1970-01-01T00:00:00.000Z", null, null, null, 86_400_000n, 0n, null],
  ]);
});

test("semicolons in texts, names and comments end no statement", () => {
  const text = `select ';', "a;b", [c;d], \`e;f\` -- g;h
    /* i; */ ; ; select 'it''s;'; /* nothing; */ ; select 1`;
  const { statements, rest } = splitStatements(text);
  expect(statements.map((statement) => statement.slice(0, 9))).toEqual(
    ["select ';'", "select 'it"].map((start) => start.slice(0, 9)),
  );
  expect(rest).toBe(" select 1");
  expect(splitStatements("select 'a;").statements).toEqual([]);
});

test("a star after select takes all columns, one that multiplies or counts takes none", () => {
  const columns = ["a", "b"];
  const used = (statement: string) => [...columnsUsed(statement, columns)];
  for (const all of ["select * from x", "select distinct/* */*", "select 1, *", "select x . *"])
    expect(used(all), all).toEqual(columns);
  expect(used("select 1 from x natural join y")).toEqual(columns);
  for (const none of ["select count(*) from x", "select c * 2", "select '*'", "select 2 * (3)*4"])
    expect(used(none), none).toEqual([]);
  expect(used('select "A" from x')).toEqual(["a"]);
});
