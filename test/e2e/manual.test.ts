// The manual as the crew reads it: served by the built program, in Chromium, also in recovery.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, openPage, type Plant, REFRESH, startPlant } from "../rig/onboard-page.ts";
import { startProgram } from "../rig/program.ts";
import { LONG } from "../rig/scale.ts";

const docs = path.resolve(import.meta.dirname, "..", "..", "docs");
const names = readdirSync(docs)
  .filter((file) => file.endsWith(".md"))
  .map((file) => file.replace(".md", ""));

let browser: Browser;
let plant: Plant;
beforeAll(async () => {
  [browser, plant] = await Promise.all([
    launchBrowser(),
    startPlant({ BALLASTD_AUTH_MONITORING: "token" }),
  ]);
});
afterAll(async () => {
  await browser.close();
  await plant[Symbol.asyncDispose]();
});

/** Every link, picture, style and script of a page. */
const linksOf = (html: string) =>
  [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, link = ""]) => link.replace("&amp;", "&"));

const idsOf = (html: string) => [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);

test("a slash at the end of a page leads to the page", async () => {
  for (const path of ["/manual", "/manual/operating", "/docs"]) {
    const direct = { redirect: "manual" } as const;
    const answer = await fetch(`${plant.url}${path}/`, direct);
    const to = new URL(answer.headers.get("location") ?? "", answer.url).pathname;
    expect([answer.status, to]).toEqual([308, path]);
    const head = await fetch(`${plant.url}${path}/`, { ...direct, method: "HEAD" });
    expect(head.status).toBe(308);
  }
  const { url, status } = await fetch(`${plant.url}/manual/operating/`);
  expect([url, status]).toEqual([`${plant.url}/manual/operating`, 200]);
  for (const path of ["/manual/nothing/", "/manual//", "/version/", "/pictures/overview.png/"])
    expect((await fetch(`${plant.url}${path}`)).status).toBe(404);
});

test("every page is there without a token, and every link on it leads somewhere", async () => {
  const pages = new Map<string, string>();
  const asked = [`${plant.url}/manual`, ...names.map((name) => `${plant.url}/manual/${name}`)];
  for (const url of asked) {
    const answer = await fetch(url);
    expect([url, answer.status, answer.headers.get("content-type")]).toEqual([
      ...[url, 200, "text/html; charset=utf-8"],
    ]);
    pages.set(url, await answer.text());
  }
  // These two answer with a token alone.
  const elsewhere = new Set([`${plant.url}/`, `${plant.url}/docs`]);
  const dead: string[] = [];
  for (const [url, html] of pages) {
    const ids = idsOf(html);
    expect(ids, `${url} has an id twice`).toEqual([...new Set(ids)]);
    expect(html).not.toMatch(/<details|<style|style="| on[a-z]+=|<script(?! src)/);
    for (const link of new Set(linksOf(html))) {
      const { href, hash, origin } = new URL(link, url);
      if (origin !== plant.url) continue;
      const target = href.replace(hash, "");
      const html =
        pages.get(target) ?? (elsewhere.has(target) ? "" : await fileAt(target, { pages }));
      const isThere = html !== null && (hash === "" || idsOf(html).includes(hash.slice(1)));
      if (!isThere) dead.push(`${url}: ${link}`);
    }
  }
  expect(dead).toEqual([]);
});

async function fileAt(url: string, { pages }: { pages: Map<string, string> }) {
  const answer = await fetch(url);
  if (answer.status !== 200) return null;
  pages.set(url, "");
  return "";
}

test("all pages are on the one page as well, which is sent as other files are", async () => {
  const answer = await fetch(`${plant.url}/manual`, { headers: { "Accept-Encoding": "gzip" } });
  const dashboard = await fetch(`${plant.url}/`, { headers: { "Accept-Encoding": "gzip" } });
  // The dashboard's page is so small that it isn't compressed.
  const headersOf = ({ headers }: Response) =>
    [...headers].filter(
      ([name]) => !/^(date|x-request-id|content-length|content-encoding)$/.test(name),
    );
  expect(headersOf(answer)).toEqual(headersOf(dashboard));
  expect(answer.headers.get("content-encoding")).toBe("gzip");
  const head = await fetch(`${plant.url}/manual`, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  const html = await answer.text();
  const ids = idsOf(html);
  for (const name of names) {
    const alone = await (await fetch(`${plant.url}/manual/${name}`)).text();
    for (const id of idsOf(alone)) expect(ids).toContain(`${name}-${id}`);
    const markdown = readFileSync(path.join(docs, `${name}.md`), "utf8");
    const text = markdown.replace(/```[\s\S]*?```/g, "");
    expect(idsOf(alone), name).toHaveLength(text.match(/^#+ /gm)?.length ?? 0);
  }
});

test.each(["sheet-engineer", "sheet-electrician"])("%s is one sheet of paper", async (name) => {
  const page = await browser.newPage();
  await page.goto(`${plant.url}/manual/${name}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  for (const format of ["A4", "Letter"]) {
    const pdf = (await page.pdf({ format })).toString("latin1");
    expect([format, pdf.match(/\/Type \/Page\b/g)]).toEqual([format, ["/Type /Page"]]);
  }
  await page.close();
});

test("the dashboard leads to it, the browser searches it, and its light is the same", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.getByRole("link", { name: "Manual" }).click();
  await page.waitForURL(`${plant.url}/manual`);
  const complaints = view.complaints.length;
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(ground, REFRESH).toBe("rgb(22, 25, 30)");
  await page.emulateMedia({ colorScheme: "light" });
  await expect.poll(ground, REFRESH).toBe("rgb(240, 242, 246)");
  // As Ctrl-F does; the text is far down, in the last page.
  const glossary = readFileSync(path.join(docs, "glossary.md"), "utf8");
  const word = /^\|[^|]+\| ([\w -]{12,})/gm.exec(glossary.replace(/^[\s\S]*?---\|\n/, ""))?.[1];
  const found = await page.evaluate((text) => Reflect.get(window, "find").call(window, text), word);
  expect(found, word).toBe(true);
  await page.evaluate(() => window.localStorage.setItem("ballastd.palette", "night"));
  await page.locator('nav a[href="#operating"]').click();
  await page.reload();
  await expect.poll(ground, REFRESH).toBe("rgb(0, 0, 0)");
  await page.emulateMedia({ media: "print" });
  await expect.poll(ground, REFRESH).toBe("rgb(255, 255, 255)");
  expect(view.complaints.slice(complaints)).toEqual([]);
  expect(view.hosts()).toEqual([new URL(plant.url).host]);
});

test("in recovery it is read as well, from the page that says what is wrong", LONG, async () => {
  await using program = startProgram({
    args: ["serve", "--recovery"],
    env: { BALLASTD_LOG_LEVEL: "wrong" },
  });
  const [url] = await program.waitForOutput(/http:\/\/127\.0\.0\.1:\d+/);
  const recovery = await (await fetch(url)).text();
  expect(recovery).toContain('<a href="/manual#operating">');
  const manual = await (await fetch(`${url}/manual`)).text();
  expect(idsOf(manual)).toContain("operating");
  for (const link of linksOf(manual).filter((one) => one.startsWith("manual/")))
    expect((await fetch(new URL(link, `${url}/`))).status, link).toBe(200);
});
