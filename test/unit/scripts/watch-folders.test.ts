// Changes as editors, sed and git make them start `npm run dev` again.

import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { watchFolders } from "../../../scripts/dev/watch-folders.ts";

test("a file that was replaced is still watched, and so is a folder that is new", async () => {
  const root = mkdtempSync(path.join(tmpdir(), "ballastd-watch-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const file = path.join(root, "src", "deep", "a.ts");
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, "0");
  const told = new Set<string>();
  const watching = watchFolders([root], (changed) => told.add(changed));
  onTestFinished(() => watching.close());
  const isTold = async (expected: string) => {
    await expect.poll(() => [...told]).toContain(expected);
    // The same change may be told more than once.
    do {
      told.clear();
      await sleep(100);
    } while (told.size > 0);
  };

  for (const text of ["1", "2"]) {
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
    await isTold(file);
  }
  writeFileSync(file, "3");
  await isTold(file);

  rmSync(path.dirname(file), { recursive: true });
  await isTold(path.dirname(file));
  mkdirSync(path.dirname(file));
  await isTold(path.dirname(file));
  writeFileSync(file, "4");
  await isTold(file);

  const fresh = path.join(root, "new", "b.ts");
  mkdirSync(path.dirname(fresh));
  await isTold(path.dirname(fresh));
  writeFileSync(fresh, "5");
  await isTold(fresh);
});
