// SHA256SUMS and its signature, checked as an officer does: with the commands that the manual
// shows, of stock openssl and coreutils, on packages that are whole, altered, or somebody else's.

import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { signingKey, writeChecksums } from "../../../scripts/package/checksums.ts";
import { foldersOfTests } from "../../rig/folders.ts";

const newFolder = foldersOfTests();

/** The manual's block of commands, for a stick and a key of the test. */
function manualOn(folder: string): string {
  const file = path.resolve(import.meta.dirname, "..", "..", "..", "docs", "operating.md");
  const blocks = [...readFileSync(file, "utf8").matchAll(/^```sh\n(.*?)^```$/gms)];
  const block = blocks
    .map(([, text]) => text ?? "")
    .find((text) => text.includes("SHA256SUMS.sig"));
  return (block ?? "exit 99")
    .replaceAll("/media/stick", folder)
    .replaceAll("/etc/ballastd/update-key.pem", path.join(folder, "update-key.pem"));
}

function openMaker(folder: string): string {
  const key = path.join(folder, "private.pem");
  const script = `openssl genpkey -algorithm ed25519 -out ${key}
    openssl pkey -in ${key} -pubout -out ${folder}/update-key.pem`;
  expect(spawnSync("sh", ["-e", "-c", script]).status).toBe(0);
  return key;
}

test("stock tools take whole packages, and refuse altered ones and another maker's", () => {
  const folder = newFolder();
  const key = signingKey(openMaker(folder));
  const files = [
    "ballastd_1.0.0-1_amd64.deb",
    "ballastd_1.0.0_linux-x64.tar.gz",
    "ballastd.cdx.json",
  ].map((name) => path.join(folder, name));
  for (const file of files) writeFileSync(file, `content of ${file}`);
  const check = () => {
    const { status, stdout, stderr } = spawnSync("sh", ["-e", "-c", manualOn(folder)], {
      ...{ encoding: "utf8", env: { PATH: process.env.PATH, LC_ALL: "C" } },
    });
    return { isTaken: status === 0, text: stdout + stderr };
  };
  const signed = () => writeChecksums(folder, { files, key });

  signed();
  expect(check()).toMatchObject({ isTaken: true });
  expect(check().text).toMatch(/Signature Verified Successfully.*amd64\.deb: OK\n/s);

  appendFileSync(path.join(folder, "ballastd_1.0.0-1_amd64.deb"), "x");
  expect(check()).toMatchObject({ isTaken: false });
  expect(check().text).toMatch(/Signature Verified Successfully.*amd64\.deb: FAILED/s);

  // Whoever alters the sums along with the package has no key to sign them.
  const signature = readFileSync(path.join(folder, "SHA256SUMS.sig"));
  writeChecksums(folder, { files, key: null });
  expect(existsSync(path.join(folder, "SHA256SUMS.sig"))).toBe(false);
  writeFileSync(path.join(folder, "SHA256SUMS.sig"), signature);
  expect(check()).toMatchObject({ isTaken: false });
  expect(check().text).toMatch(/Signature Verification Failure/);

  signed();
  expect(check().isTaken).toBe(true);
  openMaker(folder);
  expect(check().text).toMatch(/Signature Verification Failure/);
});

test("a key of another kind is refused before anything is signed", () => {
  const folder = newFolder();
  const file = path.join(folder, "rsa.pem");
  expect(spawnSync("openssl", ["genpkey", "-algorithm", "rsa", "-out", file]).status).toBe(0);
  expect(() => signingKey(file)).toThrow(`${file}: is rsa, expected an Ed25519 private key`);
  rmSync(file);
  expect(() => signingKey(file)).toThrow("ENOENT");
});
