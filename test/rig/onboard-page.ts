// The onboard page in Debian's Chromium, against the built program with a publisher beside it.

import { existsSync } from "node:fs";
import mqtt from "mqtt";
import { type Browser, chromium, type Page } from "playwright-core";
import { PATIENCE_MS, PATIENT, PATIENT_CLIENT } from "./patience.ts";
import { type Program, startProgram } from "./program.ts";

/** For what a page shows when it has refreshed. */
export const REFRESH = PATIENT;

export const CHROMIUM = "/usr/bin/chromium";
/** Chromium without windows: the same engine, for 60 % of the processor time of a test. */
const WINDOWLESS = "/usr/bin/chromium-headless-shell";

/**
 * Without a network of its own: it asks only what the page asks. All its pages wait as long as
 * every other wait.
 */
export async function launchBrowser(
  executablePath = existsSync(WINDOWLESS) ? WINDOWLESS : CHROMIUM,
): Promise<Browser> {
  const browser = await chromium.launch({
    ...{ executablePath, timeout: PATIENCE_MS },
    headless: true,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  browser.on("context", (context) => context.setDefaultTimeout(PATIENCE_MS));
  return browser;
}

export interface Plant extends AsyncDisposable {
  readonly program: Program;
  readonly url: string;
  readonly brokerHost: string;
  /** Publishes at QoS 1: what has returned is stored. */
  publish(kind: string, payload: object): Promise<void>;
}

/**
 * Starts the program, with `env` over the test's defaults, and a publisher to its broker; in a
 * `folder` to be started again on the same data.
 */
export async function startPlant(
  env: Readonly<Record<string, string>> = {},
  folder?: string,
): Promise<Plant> {
  const program = startProgram({
    args: ["serve"],
    env,
    ...(folder === undefined ? {} : { folder }),
  });
  try {
    const [url] = await program.waitForOutput(/http:\/\/127\.0\.0\.1:\d+/);
    const [broker] = await program.waitForOutput(/mqtt:\/\/127\.0\.0\.1:\d+/);
    const client = await mqtt.connectAsync(broker, { ...PATIENT_CLIENT, reconnectPeriod: 0 });
    return {
      program,
      url,
      brokerHost: new URL(broker).host,
      publish: async (kind, payload) => {
        await client.publishAsync(`bwts/BWTS-001/${kind}`, JSON.stringify(payload), { qos: 1 });
      },
      [Symbol.asyncDispose]: async () => {
        await client.endAsync(true);
        await program[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await program[Symbol.asyncDispose]();
    throw error;
  }
}

export interface View extends AsyncDisposable {
  readonly page: Page;
  /** The content security policy that came with the page. */
  readonly policy: string;
  /** Errors of the page and of its console. */
  readonly complaints: readonly string[];
  /** Every host that was asked for anything. */
  hosts(): readonly string[];
}

/** Opens the page; `answers` stand in for what ballastd says at those paths. */
export async function openPage(
  browser: Browser,
  plant: Pick<Plant, "url">,
  answers: Record<string, string> = {},
): Promise<View> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const complaints: string[] = [];
  const hosts = new Set<string>();
  page.on("request", (request) => hosts.add(new URL(request.url()).host));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (line) => {
    // A busy machine's browser takes too long, and its stream is cut: it opens another one.
    const isCut = /\/stream(\?|$)/.test(line.location().url) && /CHUNKED/.test(line.text());
    if (line.type() === "error" && !isCut) complaints.push(line.text());
  });
  for (const [path, body] of Object.entries(answers)) {
    await page.route(
      (url) => url.pathname === path,
      (route) => route.fulfill({ contentType: "application/json", body }),
    );
  }
  const response = await page.goto(`${plant.url}/`);
  // A page that is still hidden takes no focus.
  await page.locator("body:not(.settling)").waitFor();
  return {
    page,
    policy: response?.headers()["content-security-policy"] ?? "",
    complaints,
    hosts: () => [...hosts],
    [Symbol.asyncDispose]: () => context.close(),
  };
}

/** The text of a part of the page, by its `data-test`. */
export async function shown(page: Page, part: string): Promise<string> {
  return (await page.locator(`[data-test="${part}"]`).textContent())?.trim() ?? "";
}
