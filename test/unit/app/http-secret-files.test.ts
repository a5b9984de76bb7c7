// The file of a password: its first line, which must be one; and tokens that are made.

import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { readPassword } from "../../../src/app/secret-files.ts";
import { newSecret } from "../../../src/app/tokens.ts";
import { token } from "../../../src/config/values.ts";
import { temporaryFolder } from "../../rig/program.ts";

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));

function passwordOf(content: string | Buffer): string {
  const file = path.join(folder, "password");
  writeFileSync(file, content);
  return readPassword(file);
}

test.each(["", "\n", " \n", "\t \r\n", "\u00a0\n", "   "])("%j has no password", (content) => {
  expect(() => passwordOf(content)).toThrow(/mqtt\.password_file: .* expected the password in it$/);
});

test("a password in another encoding is refused, since no publisher could send it", () => {
  expect(() => passwordOf(Buffer.from("Möwe\n", "latin1"))).toThrow(/isn't UTF-8/);
});

test("blanks in a password and around it belong to it", () => {
  expect(passwordOf(" engine room 7 \r\nnot this\n")).toBe(" engine room 7 ");
});

test("no made token begins as an option does", () => {
  const secrets = Array.from({ length: 3000 }, () => newSecret().secret);
  expect(secrets.filter((secret) => secret.startsWith("-"))).toEqual([]);
  expect(secrets.every((secret) => secret.length === 43 && token.safeParse(secret).success)).toBe(
    true,
  );
  expect(new Set(secrets).size).toBe(3000);
});
