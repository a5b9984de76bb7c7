// Tokens and roles through the built program: what each role may do on every route, tokens added
// and revoked by command on a running and on a stopped instance, and a flood of wrong ones.

import { readdirSync, readFileSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import path from "node:path";
import { expect, test } from "vitest";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { openValidator } from "../rig/http-validator.ts";
import { type Program, runProgram, temporaryFolder } from "../rig/program.ts";
import { LONG } from "../rig/scale.ts";

const CONFIGURED = "maintainer-of-the-test";
const env = { BALLASTD_AUTH_TOKEN: CONFIGURED, BALLASTD_AUTH_MONITORING: "token" };

/** The POST routes that a reader's token opens, each with its reason; all others are acts. */
const POSTS_OF_READERS = {
  "POST /admin/reconcile": "it compares the file that it is sent, and stores nothing of it",
};

interface Sender {
  readonly token?: string | null;
  /** Source address of the request: any of 127.0.0.0/8 is this machine's. */
  readonly from?: string;
  readonly agent?: Agent;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly retry_after: string | undefined;
  readonly challenge: string | undefined;
  readonly body: string;
}

function send(url: string, method: string, target: string, sender: Sender = {}): Promise<Answer> {
  const { token = null, from = "127.0.0.1", agent } = sender;
  const body = method === "POST" ? '{"id":7,"name":"a"}' : "";
  const headers = {
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...(body === "" ? {} : { "content-type": "application/json", "content-length": body.length }),
  };
  return new Promise((resolve, reject) => {
    const options = { method, headers, localAddress: from, ...(agent ? { agent } : {}) };
    const asked = request(url + target, options, async (response) => {
      const chunks: Buffer[] = [];
      const isEndless = response.headers["content-type"] === "text/event-stream";
      for await (const chunk of response) {
        chunks.push(chunk);
        if (isEndless) break;
      }
      resolve({
        status: response.statusCode ?? 0,
        type: response.headers["content-type"] ?? "",
        retry_after: response.headers["retry-after"],
        challenge: response.headers["www-authenticate"],
        body: Buffer.concat(chunks).toString(),
      });
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

async function token(folder: string, ...args: string[]) {
  return runProgram({ args: ["token", ...args], folder, env });
}

async function added(folder: string, name: string, role: string): Promise<string> {
  const { code, stdout, stderr } = await token(folder, "add", "--name", name, "--role", role);
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/^[A-Za-z0-9_-]{43}\n$/);
  return stdout.trim();
}

const plantsOf = ({ url }: Appliance, secret: string) =>
  send(url, "POST", "/plants", { token: secret });

test("each role may do on every route what the document says, and nothing more", async () => {
  await using appliance = await startAppliance({ env });
  const { folder } = appliance.program;
  const secrets = {
    viewer: await added(folder, "mate", "viewer"),
    engineer: await added(folder, "chief", "engineer"),
    maintainer: await added(folder, "yard", "maintainer"),
  };
  const answer = await send(appliance.url, "GET", "/openapi.json", { token: CONFIGURED });
  const document = JSON.parse(answer.body);
  const validator = openValidator(document);
  const found: Record<string, string> = {};
  for (const [route, methods] of Object.entries<object>(document.paths))
    for (const method of Object.keys(methods).map((name) => name.toUpperCase())) {
      const query = "?startDate=2026-05-01&endDate=2026-05-02";
      const letIn: string[] = [];
      for (const [role, secret] of Object.entries({ nobody: null, ...secrets })) {
        const target = route.replace("{nn}", "07").replace("{id}", "own-17") + query;
        const given = await send(appliance.url, method, target, { token: secret });
        const { status, type, body } = given;
        const checked = { method, path: route, status, type, body };
        expect(validator.answerProblems(checked), `${role} ${method} ${route}`).toBeNull();
        if (secret === null && status === 401) expect(given.challenge).toBe("Bearer");
        else if (status !== 403) letIn.push(role);
      }
      found[`${method} ${route}`] = letIn.join();
    }
  const {
    "GET /healthz": alive,
    "GET /readyz": ready,
    "POST /admin/set-up": setUp,
    ...closed
  } = found;
  expect([alive, ready]).toEqual(Array(2).fill("nobody,viewer,engineer,maintainer"));
  // No token opens it: only the place of the page does.
  expect(setUp).toBe("");
  const rolesOf = (names: readonly string[]) =>
    new Set(names.map((name) => Reflect.get(closed, name)));
  expect(Object.keys(closed).filter((name) => /^(?!GET )\S+ \/api\//.test(name))).toEqual([]);
  const acts = Object.keys(closed).filter(
    (name) => /^POST|\/admin\//.test(name) && !(name in POSTS_OF_READERS),
  );
  expect(Object.keys(closed)).toEqual(expect.arrayContaining(Object.keys(POSTS_OF_READERS)));
  const care: readonly string[] = acts.filter((name) =>
    /^(POST \/admin\/(backup|tokens|test-message)|(GET|POST) \/admin\/config)$/.test(name),
  );
  const read = Object.keys(closed).filter((name) => !acts.includes(name));
  expect(acts.length).toBeGreaterThan(7);
  expect(rolesOf(care)).toEqual(new Set(["maintainer"]));
  const ofEngineers = acts.filter((name) => !care.includes(name));
  expect(rolesOf(ofEngineers)).toEqual(new Set(["engineer,maintainer"]));
  expect(read.length).toBeGreaterThan(14);
  expect(rolesOf(read)).toEqual(new Set(["viewer,engineer,maintainer"]));
  for (const role of ["viewer", "engineer", "maintainer"] as const)
    expect((await send(appliance.url, "GET", "/", { token: secrets[role] })).status).toBe(200);
  // The page itself holds no data: it asks for the token.
  expect((await send(appliance.url, "GET", "/")).status).toBe(200);
});

test("a token works at once, over a restart, and not from the moment it is revoked", async () => {
  const folder = temporaryFolder();
  const chief = await added(folder, "chief", "engineer");
  let yard = "";
  {
    await using appliance = await startAppliance({ folder, env });
    expect((await plantsOf(appliance, chief)).status).toBe(200);
    yard = await added(folder, "yard", "maintainer");
    expect((await plantsOf(appliance, yard)).status).toBe(200);
    expect((await token(folder, "revoke", "chief")).code).toBe(0);
    expect(await plantsOf(appliance, chief)).toMatchObject({ status: 401, challenge: "Bearer" });
    await appliance.program.stop("SIGKILL");
  }
  {
    await using appliance = await startAppliance({ folder, env });
    expect((await plantsOf(appliance, chief)).status).toBe(401);
    expect((await plantsOf(appliance, yard)).status).toBe(200);
    const again = await added(folder, "chief", "viewer");
    expect((await plantsOf(appliance, again)).status).toBe(403);
    expect((await plantsOf(appliance, chief)).status).toBe(401);
    await appliance.program.stop("SIGTERM");
  }
  expect((await token(folder, "revoke", "yard")).code).toBe(0);
  const listed = await token(folder, "list", "--json");
  expect(JSON.parse(listed.stdout)).toMatchObject([
    { name: "configured", role: "maintainer", added: null },
    { name: "chief", role: "viewer", added: expect.stringMatching(/^\d{4}-.*Z$/) },
  ]);
  await using appliance = await startAppliance({ folder, env });
  expect((await plantsOf(appliance, yard)).status).toBe(401);
  expect((await plantsOf(appliance, CONFIGURED)).status).toBe(200);
  expectNowhere(folder, [chief, yard], appliance.program);
  await appliance.program.stop("SIGTERM");
  rmSync(folder, { recursive: true });
});

function expectNowhere(folder: string, secrets: readonly string[], program: Program): void {
  const data = path.join(folder, "data");
  const kept = readdirSync(data)
    .filter((name) => name !== "control.sock")
    .map((name) => readFileSync(path.join(data, name), "latin1"));
  for (const text of [...kept, program.stdout(), program.stderr()])
    for (const secret of secrets) expect(text.includes(secret)).toBe(false);
}

test.each([
  [["add", "--name", "chief"], 2, "--role is missing, expected viewer, engineer, maintainer"],
  [["add", "--name", "chief", "--role", "king"], 2, "--role king: expected viewer, engineer"],
  [["add", "--role", "viewer"], 2, "--name is missing"],
  [["add", "--name", "a b", "--role", "viewer"], 2, "expected 1 to 64 letters, digits"],
  [["add", "--name", "local", "--role", "viewer"], 2, "expected a name other than configured"],
  [["add", "--name", "mate", "--role", "viewer", "x"], 2, "token add x: expected options only"],
  [["revoke"], 2, "got 0 names, expected one"],
  [["revoke", "configured"], 2, "auth.token"],
  [["revoke", "nobody"], 1, "token nobody: there is none of that name"],
  [["list", "--role", "viewer"], 2, "--role: only token add takes it"],
  [["drop"], 2, "token drop: expected add, list or revoke"],
  [[], 2, "token: expected add, list or revoke"],
])("ballastd token %j is refused with a reason", LONG, async (args, code, reason) => {
  const folder = temporaryFolder();
  const ended = await token(folder, ...args);
  rmSync(folder, { recursive: true });
  expect(ended.stderr).toContain(reason);
  expect(ended).toMatchObject({ code, stdout: "" });
});

test("a name is given once, and a full list says so", LONG, async () => {
  await using appliance = await startAppliance({ env });
  const { folder } = appliance.program;
  await added(folder, "chief", "viewer");
  const taken = await token(folder, "add", "--name", "chief", "--role", "maintainer");
  expect(taken).toMatchObject({ code: 1, stdout: "" });
  expect(taken.stderr).toContain("token chief: is there already, expected a new name");
});

test("a flood of wrong tokens is limited while a good client goes on", LONG, async () => {
  await using appliance = await startAppliance({ env });
  const good = await added(appliance.program.folder, "chief", "engineer");
  const statuses = new Map<number, number>();
  let flooding = true;
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const flood = async () => {
    while (flooding) {
      const { status, retry_after } = await send(appliance.url, "POST", "/plants", {
        token: "wrong-but-plausible",
        from: "127.0.0.2",
        agent,
      });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 429) expect(Number(retry_after)).toBeGreaterThan(0);
    }
  };
  const floods = [flood(), flood(), flood(), flood()];
  for (let number = 0; number < 50; number += 1) {
    expect((await plantsOf(appliance, good)).status).toBe(200);
    await appliance.publish([
      { kind: "telemetry", payload: JSON.stringify({ timestamp: 1.8e9 - number, A: number }) },
    ]);
  }
  flooding = false;
  await Promise.all(floods);
  agent.destroy();
  // Thirty a minute; on a busy machine it may take more than one.
  expect(statuses.get(401)).toBeGreaterThanOrEqual(30);
  expect(statuses.get(401)).toBeLessThanOrEqual(60);
  expect([...statuses.keys()].toSorted()).toEqual([401, 429]);
  expect(statuses.get(429)).toBeGreaterThan(0);
  const fromThere = { token: good, from: "127.0.0.2" };
  // A right token is never locked out.
  expect((await send(appliance.url, "POST", "/plants", fromThere)).status).toBe(200);
  await appliance.program.waitForOutput(/"address":"127.0.0.2".*a token was refused/);
  expect(appliance.program.stderr()).not.toContain("wrong-but-plausible");
  const log = await send(appliance.url, "GET", "/admin/audit?kind=refusal", { token: good });
  const refusals: { address: string }[] = JSON.parse(log.body).data;
  expect(refusals.length).toBeLessThan(8);
  for (const { address } of refusals) expect(address).toBe("127.0.0.2");
});
