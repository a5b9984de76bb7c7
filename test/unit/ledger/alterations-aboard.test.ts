import { afterAll, beforeAll, expect, test } from "vitest";
import { verifyChains } from "../../../src/sqlite/care/verify.ts";
import { alteredCopy, rewriteVerdict, shipFile } from "../../rig/altered-ship.ts";
import { removeFolders } from "../../rig/database.ts";
import { LAMP_CONFIG } from "../../rig/fleet.ts";

let file = "";
beforeAll(async () => {
  file = await shipFile();
});
afterAll(removeFolders);

test("whole", () => {
  const { db } = alteredCopy(file);
  const found = verifyChains(db, () => {}, { judging: LAMP_CONFIG });
  console.log(found);
  console.log(
    db.prepare("select id, verdict, version from operation").all(),
    db
      .prepare("select kind, number from ledger")
      .all()
      .map((r: any) => `${r.kind} ${r.number}`)
      .join(" "),
  );
  rewriteVerdict(db, 2, () => ({
    verdict: "within_limits",
    verdict_with_hidden: "within_limits",
    reasons: [],
  }));
  const t = performance.now();
  console.log(
    verifyChains(db, () => {}, { judging: LAMP_CONFIG }),
    performance.now() - t,
  );
  db.close();
});
