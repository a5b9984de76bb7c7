// Files that are carried from a ship to her shore: made by the program aboard, taken as the office
// does, and made wrong on purpose.

import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { ShoreFile } from "../../src/bwts/documents/shore-file.ts";
import { type BundledStatement, bundlePieces, openBundle } from "../../src/codec/bundle.ts";
import { type ImportedBundle, importBundle } from "../../src/office/import.ts";
import { withOffice } from "../../src/office/office.ts";
import type { Rig } from "./database.ts";
import type { FleetRig } from "./fleet-rig.ts";
import { runProgram } from "./program.ts";

type Environment = Readonly<Record<string, string>>;

/** The environment of a command aboard, joined to the fleet. */
export function aboard({ dir }: Rig, file: ShoreFile, raw = "always"): Environment {
  const place = (name: string, text: string) => {
    writeFileSync(path.join(dir, name), text);
    return path.join(dir, name);
  };
  return {
    BALLASTD_STORAGE_DIR: dir,
    BALLASTD_SHORE_URL: file.urls.join(),
    BALLASTD_SHORE_CERT: place("shore-cert.pem", file.certificate),
    BALLASTD_SHORE_KEY: place("shore-key.pem", file.key),
    BALLASTD_SHORE_KEY_PIN: file.key_pin,
    BALLASTD_SHORE_RAW: raw,
  };
}

export const shoreCommand = (env: Environment, ...args: readonly string[]) =>
  runProgram({ args: ["shore", ...args], env });

/** Makes a bundle and answers its place. */
export async function bundled(
  env: Environment,
  file: string,
  ...options: readonly string[]
): Promise<string> {
  const { code, stderr } = await shoreCommand(env, "bundle", file, ...options);
  if (code !== 0) throw new Error(`shore bundle ended with ${code}: ${stderr}`);
  return file;
}

/** As `ballastd fleet import`, in this process. */
export function imported(
  { url }: FleetRig,
  file: string,
  { reads_max = Number.POSITIVE_INFINITY } = {},
): Promise<ImportedBundle> {
  const bytes = readFileSync(file);
  let reads = 0;
  // A stick that is pulled out.
  const read = (place: number, length: number) => {
    reads += 1;
    if (reads > reads_max) throw new Error("EIO: i/o error, read");
    return readerOf(bytes)(place, length);
  };
  return withOffice(url, (office) => importBundle(office, file, { read, size: bytes.length }));
}

const readerOf = (bytes: Buffer) => (place: number, length: number) =>
  bytes.subarray(place, place + length);

/** The head and the statements of a bundle, to make another of them. */
export function opened(file: string) {
  const { head, statements } = openedBytes(readFileSync(file));
  return { head: Object(head), statements: [...statements()] };
}

export const openedBytes = (bytes: Buffer) => openBundle(readerOf(bytes), bytes.length);

/** A bundle with a seal that is right for the key. */
export function sealed(
  file: string,
  made: { readonly head: object; readonly statements: readonly BundledStatement[] },
  key: string,
): string {
  writeFileSync(file, Buffer.concat([...bundlePieces(made.head, made.statements, key)]));
  return file;
}
