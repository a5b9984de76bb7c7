// The OpenAPI document: whether it is valid, whether its own examples keep to it, and whether the
// table and the document speak of the same routes.

import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { TAGS } from "../../../../src/bwts/tags.ts";
import { openApiDocument } from "../../../../src/http/document.ts";
import { docsPage } from "../../../../src/http/page.ts";
import { ROUTES } from "../../../../src/http/routes/routes.ts";
import { openValidator } from "../../../rig/http-validator.ts";

const document = openApiDocument(ROUTES, "open");
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

const validator = openValidator(document);

describe("the document", () => {
  test("two schemas of one name are refused, by that name", () => {
    const answerOf = (shape: Record<string, z.ZodType>) =>
      z.object({ part: z.object(shape).meta({ id: "Part" }) }).meta({ example: { part: {} } });
    const [route] = ROUTES;
    const routes = [z.number(), z.string()].map((member, index) => ({
      ...{ ...route, path: `/api/part/${index}`, answer: answerOf({ member }) },
    }));
    expect(() => openApiDocument(routes, "open")).toThrow("two schemas have the id Part");
    expect(() => openApiDocument(routes.slice(0, 1), "open")).not.toThrow();
  });

  test("every route of the table is in it, and nothing else", () => {
    const documented = operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`);
    expect(documented).toEqual(ROUTES.map((route) => `${route.method} ${route.path}`));
  });

  test.each(["open", "token"] as const)(
    "redocly finds nothing to remark with auth.monitoring = %s",
    async (monitoring) => {
      const folder = await mkdtemp(path.join(tmpdir(), "ballastd-openapi-"));
      const file = path.join(folder, "openapi.json");
      await writeFile(file, JSON.stringify(openApiDocument(ROUTES, monitoring)));
      const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "1" };
      const options = ["lint", "--format=json", "--config=redocly.yaml", file];
      const { stdout } = await promisify(execFile)("node_modules/.bin/redocly", options, { env });
      await rm(folder, { recursive: true });
      expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0, ignored: 0 } });
    },
  );

  test("operation ids are unique", () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("every example validates against its schema in strict mode", () => {
    const contents = [
      ...operations.flatMap(({ operation }) => [
        operation.requestBody?.content ?? {},
        ...Object.values(operation.responses).map((response) =>
          "content" in response ? response.content : {},
        ),
      ]),
      ...Object.values(document.components.responses).map(({ content }) => content),
    ]
      .flatMap((content) => Object.values(content))
      .filter(({ example }) => example !== undefined);
    expect(contents.length).toBeGreaterThan(ROUTES.length);
    for (const { schema, example } of contents)
      expect(validator.problems(schema, example), JSON.stringify(schema)).toBeNull();
  });

  test("a reading that lacks a field, or has one as text, does not validate", () => {
    const schema = { $ref: "#/components/schemas/TelemetryReading" };
    const members = TAGS.map(({ name }): [string, unknown] => [name, null]);
    const reading = new Map(members).set("timestamp", "2026-05-01T00:00:00.000Z");
    const problems = () => validator.problems(schema, Object.fromEntries(reading));
    expect(problems()).toBeNull();
    reading.set("UVR_INTENSITY", "600");
    expect(problems()).toContain("UVR_INTENSITY");
    reading.delete("UVR_INTENSITY");
    expect(problems()).toContain("UVR_INTENSITY");
  });

  test("an aggregated row has the seed's 57 members, timestamp first and recordCount last", () => {
    const { required } = document.components.schemas.AggregatedRow;
    const members = Array.isArray(required) ? required : [];
    expect(members).toHaveLength(57);
    expect(members[0]).toBe("timestamp");
    expect(members.slice(1, 8).join()).toBe(
      "UVR_INTENSITY,UVR_POWER_OUTPUT,UVR_WATER_TEMP,SYS_FLOW_RATE,SYS_PRESSURE," +
        "AVG_LAMP_EFFICIENCY,FAILED_LAMP_COUNT",
    );
    expect(members.at(-1)).toBe("recordCount");
  });

  test("integers and their limits and defaults are those that validate", () => {
    const { parameters = [] } = document.paths["/api/telemetry/chunked"].get;
    const limit = parameters.find(({ name }) => name === "limit");
    expect(limit?.schema).toEqual({ type: "integer", minimum: 1, maximum: 10_000, default: 500 });
    expect(limit?.required).toBe(false);
    expect(parameters.find(({ name }) => name === "endDate")?.required).toBe(true);
  });

  test("the token is asked for where it is needed and nowhere else", () => {
    const closed = (monitoring: "open" | "token") =>
      Object.entries(openApiDocument(ROUTES, monitoring).paths)
        .filter(([, methods]) => Object.values(methods)[0].security[0].bearer !== undefined)
        .map(([path]) => path);
    expect(closed("open")).toEqual([
      "/admin/inspection",
      "/admin/alarms/{id}/acknowledge",
      "/admin/alarms/{id}/shelve",
      "/admin/notes",
      "/admin/handovers",
      "/admin/lamps/{nn}/replacement",
      "/admin/lamps/spares",
      "/plants",
      "/admin/audit",
      "/admin/audit/proof",
      "/admin/quarantine",
      "/admin/quarantine/{id}",
      "/admin/quarantine/replay",
      "/admin/quarantine/{id}/replay",
      "/admin/backup",
      "/admin/config",
      "/admin/messages",
      "/admin/test-message",
      "/admin/tokens",
      "/admin/support",
    ]);
    const closedByToken = closed("token");
    const open = ROUTES.map(({ path }) => path).filter((path) => !closedByToken.includes(path));
    expect(open).toEqual(["/admin/set-up", "/healthz", "/readyz"]);
  });
});

describe("the page", () => {
  const page = docsPage(document)("http://127.0.0.1:8080");
  const html = page.bytes.toString();

  test("it names every path and needs neither a script nor another host", () => {
    for (const { path } of operations) expect(html).toContain(`<code>${path}</code>`);
    expect(html).not.toMatch(/<script|<link|<img|style=|(src|href)="(?!\/|#)/);
  });

  test.each(["open", "token"] as const)("its lines show the token with %s", (monitoring) => {
    const made = openApiDocument(ROUTES, monitoring);
    const page = docsPage(made)("http://127.0.0.1:8080").bytes.toString();
    const closed = Object.values(made.paths)
      .flatMap((methods) => Object.values(methods))
      .filter(({ security }) => security[0].bearer !== undefined);
    expect(page.match(/<pre class="curl">[^<]*\$TOKEN/g)).toHaveLength(closed.length);
  });

  test("its policy allows nothing but its own style", () => {
    expect(page.headers["Content-Security-Policy"]).toMatch(
      /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/=]+'; base-uri 'none'; /,
    );
  });
});
