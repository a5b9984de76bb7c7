// The place of objects: a bucket of a store, with a prefix, and the key that opens it. Written as a
// URL with the bucket in its path, or as s3:// with the variables that AWS's own tools read; the
// key has the form of AWS's credentials file.

import { readSmall } from "../ground/durable.ts";
import { codeOf, EXIT, Failure, messageOf } from "../ground/errors.ts";

export interface StoreKey {
  readonly id: string;
  readonly secret: string;
  /** Session token of temporary credentials; null for permanent ones. */
  readonly token: string | null;
  /** The region; null: from the store's name, else us-east-1. */
  readonly region: string | null;
}

export interface StorePlace {
  /** Protocol, host and port. */
  readonly origin: string;
  readonly bucket: string;
  /** "" or a path that ends in a slash. */
  readonly prefix: string;
  readonly key: StoreKey;
  /** The pin of the server's key; null: its certificate is checked by authorities. */
  readonly pin: string | null;
  /** The authority as PEM; null for the public ones. */
  readonly authority: string | null;
}

/** A bucket's name by AWS's rules. */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const FORM = "s3://bucket/prefix or https://host/bucket/prefix";

/** Origin, bucket and prefix of http(s)://host/bucket/prefix; null for a text of another form. */
export function bucketAt(given: string): Pick<StorePlace, "origin" | "bucket" | "prefix"> | null {
  const url = URL.parse(given);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    return null;
  const [bucket, ...more] = url.pathname.split("/").filter((part) => part !== "");
  if (bucket === undefined || !BUCKET.test(bucket)) return null;
  const folders = more.map((part) => `${part}/`).join("");
  if (!/^[\w!.*'()/-]*$/.test(folders)) return null;
  return { origin: url.origin, bucket, prefix: folders };
}

/** The place and key for the office's commands. Throws a Failure that shows no secret. */
export function officePlace(given: string, env: NodeJS.ProcessEnv): StorePlace {
  const key = env.AWS_ACCESS_KEY_ID ? keyInVariables(env) : keyInFile(env);
  const region = env.AWS_REGION || env.AWS_DEFAULT_REGION || key.region;
  const named = env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL;
  const endpoint = named || `https://s3.${region ?? "us-east-1"}.amazonaws.com`;
  const place = bucketAt(given.replace(/^s3:\/\//i, `${endpoint.replace(/\/+$/, "")}/`));
  // It isn't shown: a key may have been typed in its place, or in it.
  if (place === null)
    throw new Failure(EXIT.usage, `the store's place: expected ${FORM}, without a key`);
  const bundle = env.AWS_CA_BUNDLE;
  const authority = bundle ? readText(bundle, "AWS_CA_BUNDLE") : null;
  return { ...place, key: { ...key, region }, pin: null, authority };
}

function keyInVariables(env: NodeJS.ProcessEnv): StoreKey {
  const { AWS_ACCESS_KEY_ID: id = "", AWS_SECRET_ACCESS_KEY: secret = "" } = env;
  if (secret === "") throw new Failure(EXIT.usage, "AWS_SECRET_ACCESS_KEY is missing");
  return { id, secret, token: env.AWS_SESSION_TOKEN || null, region: null };
}

function keyInFile({ AWS_SHARED_CREDENTIALS_FILE: file = "" }: NodeJS.ProcessEnv): StoreKey {
  if (file !== "") return readKeyFile(file, "AWS_SHARED_CREDENTIALS_FILE");
  throw new Failure(
    EXIT.usage,
    "no key for the store: set AWS_SHARED_CREDENTIALS_FILE, or AWS_ACCESS_KEY_ID and " +
      "AWS_SECRET_ACCESS_KEY",
  );
}

/**
 * The key of a file's first profile. `named` is the option or setting that names the file. Throws a
 * Failure.
 */
export function readKeyFile(file: string, named: string): StoreKey {
  const key = keyIn(readText(file, named));
  if (key !== null) return key;
  const expected = "expected lines aws_access_key_id = … and aws_secret_access_key = …";
  throw new Failure(EXIT.config, `${named}: the file has no key, ${expected}`);
}

/** The key of the first profile in a credentials file's text; null without one. */
export function keyIn(text: string): StoreKey | null {
  const [profile] = text.split(/^[ \t]*\[/m).filter((part) => /^[ \t]*aws_access_key/im.test(part));
  const value = (name: string) =>
    new RegExp(`^[ \\t]*${name}[ \\t]*=[ \\t]*(\\S+)[ \\t]*\r?$`, "im").exec(profile ?? "")?.[1] ??
    null;
  const [id, secret] = [value("aws_access_key_id"), value("aws_secret_access_key")];
  if (id === null || secret === null) return null;
  return { id, secret, token: value("aws_session_token"), region: value("region") };
}

/** The text of a credentials file for a key. */
export function keyText({ id, secret, token, region }: StoreKey): string {
  const lines = [
    ...["[default]", `aws_access_key_id = ${id}`, `aws_secret_access_key = ${secret}`],
    ...(token === null ? [] : [`aws_session_token = ${token}`]),
    ...(region === null ? [] : [`region = ${region}`]),
  ];
  return `${lines.join("\n")}\n`;
}

function readText(file: string, named: string): string {
  try {
    return readSmall(file).toString();
  } catch (error) {
    throw new Failure(
      EXIT.config,
      `${named}: can't be read (${codeOf(error) ?? messageOf(error)})`,
    );
  }
}
