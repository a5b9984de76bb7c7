// `ballastd shore bundle`: writes the data that the office would be sent into one file for a stick.
// It reads the database beside a running instance; the audit log records it before anything leaves.

import { X509Certificate } from "node:crypto";
import { statSync } from "node:fs";
import path from "node:path";
import type { BundleHead } from "../bwts/documents/bundle-head.ts";
import { bundlePieces } from "../codec/bundle.ts";
import { readBuild } from "../ground/assets.ts";
import { printTime } from "../ground/clock.ts";
import { EXIT, Failure } from "../ground/errors.ts";
import { atPath } from "../ground/owner.ts";
import { type BundleCounts, beginBundle, bundledStatements, bundledText } from "../shore/bundle.ts";
import { instanceNumber } from "../shore/instance-number.ts";
import { shorePlace } from "../shore/shore.ts";
import { printResult } from "./document.ts";
import { configOf, recordExport, withDatabase } from "./instance-data.ts";
import { readLine } from "./options.ts";
import { refuseMissing, refuseOverwriting, STDOUT, writeTexts } from "./output-file.ts";

export async function bundle(args: readonly string[]): Promise<void> {
  const { values, positionals } = readLine(args, {
    all: { type: "boolean", default: false },
    force: { type: "boolean", default: false },
  });
  const [file, ...more] = positionals;
  if (file === undefined || file === STDOUT || more.length > 0)
    throw new Failure(EXIT.usage, `shore bundle: got ${positionals.length} names, expected a file`);
  const config = configOf(values);
  const output = path.resolve(file);
  const [url] = config.shore.url;
  if (url === undefined)
    throw new Failure(EXIT.config, "shore.url isn't set: type ballastd shore join FILE");
  const { cert, key } = shorePlace(config.shore, url);
  refuseMissing(path.dirname(output));
  refuseOverwriting(output, values);
  await withDatabase(config, async (db) => {
    const now_ms = Date.now();
    const { all } = values;
    await recordExport(config, { what: "bundle", all, output });
    const bundling = { now_ms, isRaw: config.shore.raw !== "never", isAll: all };
    const bundled = beginBundle(db, bundling);
    const head: BundleHead = {
      role: roleOf(cert),
      instance: instanceNumber(config.storage.dir),
      version: readBuild().version,
      made_ms: now_ms,
      hours_after: bundled.after.hours,
      certificate: cert,
    };
    await writeTexts(output, bundlePieces(head, bundledStatements(db, bundling, bundled), key));
    tell(output, { bundled, json: values.json, now_ms });
  });
}

/** The ship's role at the office: the subject's name in its certificate. */
function roleOf(cert: string): string {
  return new X509Certificate(cert).subject.replace(/^CN=/, "");
}

interface BundleReport {
  readonly bundled: BundleCounts;
  readonly json: boolean;
  readonly now_ms: number;
}

function tell(output: string, { bundled, json, now_ms }: BundleReport): void {
  const { after, heads, payloads, documents, problems } = bundled;
  const bytes = atPath(output, () => statSync(output).size);
  const made = printTime(now_ms);
  printResult(
    json,
    { file: output, bytes, made, after, heads, payloads, documents, problems },
    `${output}: ${(bytes / 1e6).toFixed(1)} MB: ${bundledText(bundled)}\n` +
      "ashore: ballastd fleet import FILE",
  );
  if (problems.length > 0)
    throw new Failure(EXIT.failed, `stored data is damaged: ${problems.join("; ")}`);
}
