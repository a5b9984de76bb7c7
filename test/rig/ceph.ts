// Ceph's gateway with a cluster of its own in a temporary folder, by the programs of Debian's
// packages: a monitor, an object store in memory, the gateway that speaks S3. On ports of
// 127.0.0.1, without logins among themselves.

import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { AwsV4Signer } from "aws4fetch";
import { keyIn, type StorePlace } from "../../src/shore/store-place.ts";
import { PATIENCE_MS } from "./patience.ts";
import { reservePort } from "./port.ts";
import { type Process, runProcess, startProcess } from "./process.ts";
import { temporaryFolder } from "./program.ts";

export interface Ceph extends AsyncDisposable {
  /** `http://127.0.0.1:port` */
  readonly origin: string;
  readonly port: number;
  /** Adds a user; answers the text of a file with its key. */
  user(name: string): Promise<string>;
  /** The place of a bucket, opened by a user's key. */
  place(bucket: string, key: string): StorePlace;
  /** A request of any kind with a user's key; null for nobody's. */
  ask(key: string | null, method: string, at: string, more?: GatewayRequest): Promise<GatewayReply>;
  /** Ends the gateway; what it stored stays. */
  stopGateway(signal?: NodeJS.Signals): Promise<void>;
  startGateway(): Promise<void>;
}

interface GatewayRequest {
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface GatewayReply {
  readonly status: number;
  readonly text: string;
}

/** Without these a pool takes 2 s to be made, and the gateway makes eight. */
const QUICK = ["paxos propose interval = 0.05", "paxos min wait = 0.01"];

export async function startCeph(): Promise<Ceph> {
  const folder = temporaryFolder();
  const [monitorPort, port] = [(await reservePort()).port, (await reservePort()).port];
  const cluster = randomUUID();
  writeFileSync(
    path.join(folder, "ceph.conf"),
    configuration({ folder, cluster, monitorPort, port }),
  );
  for (const name of ["osd", "gateway"]) mkdirSync(path.join(folder, name));
  const command = (file: string, ...args: readonly string[]) => ({
    ...{ file, folder, args: ["-c", path.join(folder, "ceph.conf"), ...args] },
  });
  const run = (file: string, ...args: readonly string[]) => runProcess(command(file, ...args));
  const running: Process[] = [];
  const start = (file: string, ...args: readonly string[]) => {
    const started = startProcess(command(file, ...args, "-f"));
    running.push(started);
    return started;
  };
  const address = `[v2:127.0.0.1:${monitorPort}]`;
  await run("monmaptool", "--create", "--addv", "a", address, "--fsid", cluster, "monmap");
  await run("ceph-mon", "-i", "a", "--mkfs", "--monmap", "monmap");
  start("ceph-mon", "-i", "a");
  const disk = randomUUID();
  await run("ceph", "--connect-timeout", `${PATIENCE_MS / 1000}`, "osd", "new", disk);
  await run("ceph-osd", "-i", "0", "--mkfs", "--osd-uuid", disk);
  start("ceph-osd", "-i", "0");
  const origin = `http://127.0.0.1:${port}`;
  let gateway: Process | null = null;
  const startGateway = async () => {
    gateway = start("radosgw", "-n", "client.rgw");
    const isUp = () =>
      fetch(origin).then(
        ({ ok }) => ok,
        () => false,
      );
    await gateway.waitUntil("an answer", isUp);
  };
  await startGateway();
  return {
    ...{ origin, port, startGateway },
    async user(name) {
      const made = ["--uid", name, "--display-name", name, "--max-buckets", "10"];
      const text = await run("radosgw-admin", "-n", "client.rgw", "user", "create", ...made);
      const [{ access_key, secret_key }] = JSON.parse(text).keys;
      const lines = [`aws_access_key_id = ${access_key}`, `aws_secret_access_key = ${secret_key}`];
      return ["[default]", ...lines, ""].join("\n");
    },
    place(bucket, text) {
      return { origin, bucket, prefix: "", key: keyOf(text), pin: null, authority: null };
    },
    ask: (key, method, at, more) => asked({ key, method, url: `${origin}${at}` }, more),
    async stopGateway(signal = "SIGKILL") {
      await gateway?.stop(signal);
    },
    async [Symbol.asyncDispose]() {
      for (const started of running.toReversed()) await started.stop("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface GatewayAsked {
  readonly key: string | null;
  readonly method: string;
  readonly url: string;
}

async function asked(
  { key, method, url }: GatewayAsked,
  { body = "", headers = {} }: GatewayRequest = {},
): Promise<GatewayReply> {
  const sum = (algorithm: string) => createHash(algorithm).update(body);
  const all = new Headers({
    "x-amz-content-sha256": sum("sha256").digest("hex"),
    "content-md5": sum("md5").digest("base64"),
    ...headers,
  });
  if (key !== null) {
    const { id: accessKeyId, secret: secretAccessKey } = keyOf(key);
    const named = { accessKeyId, secretAccessKey, service: "s3", region: "us-east-1" };
    const made = { method, url, headers: Object.fromEntries(all) };
    const signed = await new AwsV4Signer({ ...named, ...made }).sign();
    for (const [name, value] of signed.headers) all.set(name, value);
  }
  const filled = body === "" ? {} : { body };
  const answer = await fetch(url, { method, headers: all, ...filled });
  return { status: answer.status, text: await answer.text() };
}

function keyOf(text: string) {
  const key = keyIn(text);
  if (key === null) throw new Error("expected a key as user() answers it");
  return key;
}

interface Made {
  readonly folder: string;
  readonly cluster: string;
  readonly monitorPort: number;
  readonly port: number;
}

function configuration({ folder, cluster, monitorPort, port }: Made): string {
  const logins = ["cluster", "service", "client"].map((of) => `auth ${of} required = none`);
  return [
    "[global]",
    ...[`fsid = ${cluster}`, `mon host = v2:127.0.0.1:${monitorPort}`, "mon initial members = a"],
    ...["public addr = 127.0.0.1", ...logins, "ms mon client mode = crc"],
    ...["osd pool default size = 1", "osd pool default min size = 1"],
    ...["osd pool default pg num = 1", "mon allow pool size one = true"],
    ...["osd objectstore = memstore", "osd crush chooseleaf type = 0", ...QUICK],
    ...[`mon data = ${folder}/mon`, `osd data = ${folder}/osd`, `keyring = ${folder}/keyring`],
    ...[`run dir = ${folder}`, `log file = ${folder}/$name.log`, "admin socket =", "pid file ="],
    "[client.rgw]",
    `rgw frontends = beast endpoint=127.0.0.1:${port}`,
    `rgw data = ${folder}/gateway`,
    "",
  ].join("\n");
}
