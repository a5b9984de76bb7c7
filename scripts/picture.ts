// Makes the README's picture from the program as it is: `npm run picture` starts the demo on free
// ports in a temporary folder, waits until her history is in, and photographs the page.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { chromium } from "playwright-core";

const root = path.join(import.meta.dirname, "..");
const folder = mkdtempSync(path.join(os.tmpdir(), "ballastd-picture-"));
const demo = spawn(process.execPath, [path.join(root, "dist", "main.cjs"), "demo"], {
  cwd: folder,
  env: {
    ...process.env,
    BALLASTD_HTTP_LISTEN: "127.0.0.1:0",
    BALLASTD_MQTT_LISTEN: "127.0.0.1:0",
    BALLASTD_SYSTEM_VESSEL: "MV Example",
  },
  stdio: ["ignore", "inherit", "pipe"],
});

try {
  const url = await liveUrl();
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
  const page = await browser.newPage({ viewport: { width: 1280, height: 1000 } });
  await page.goto(url);
  await page.getByText("Treating water").first().waitFor();
  await page.waitForTimeout(12_000);
  await page.screenshot({ path: path.join(root, "docs", "page.png") });
  await browser.close();
} finally {
  demo.kill("SIGTERM");
  await new Promise((resolve) => demo.once("close", resolve));
  rmSync(folder, { recursive: true, force: true });
}

/** The page's address, once the demo says that it is live. */
function liveUrl(): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    demo.stderr.setEncoding("utf8").on("data", (more: string) => {
      text += more;
      const url = /now live: (\S+)/.exec(text)?.[1];
      if (url !== undefined) resolve(url);
    });
    demo.once("close", () => reject(new Error(`the demo ended: ${text}`)));
  });
}
