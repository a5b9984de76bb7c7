// Reads the values of configuration keys, from TOML or from the text of an environment variable.
// Each reader throws an Unfit with the expected form, and the value as far as it may be shown;
// read.ts adds the key and the line.

import { isIP } from "node:net";
import { shownAddresses, shownNumber, shownUrl, Unfit } from "./shown.ts";

/** An address to listen on; `host` without brackets. */
export interface Listen {
  readonly host: string;
  readonly port: number;
}

/** `host:port` as it is printed, IPv6 in brackets. */
export function printListen(listen: Listen): string {
  return isIP(listen.host) === 6
    ? `[${listen.host}]:${listen.port}`
    : `${listen.host}:${listen.port}`;
}

export function readText(given: unknown): string {
  if (typeof given !== "string") throw new Unfit("expected a text in quotes");
  return given;
}

export function readFlag(given: unknown): boolean {
  if (given === true || given === "true") return true;
  if (given === false || given === "false") return false;
  throw new Unfit("expected true or false");
}

export function readTextList(given: unknown): readonly string[] {
  const items = typeof given === "string" ? given.split(",").map((item) => item.trim()) : given;
  if (!Array.isArray(items)) throw new Unfit("expected a text or a list of texts");
  return items.map(readText).filter((item) => item !== "");
}

/** Shorter tokens can be guessed. */
const TOKEN_LENGTH_MIN = 16;
const TOKEN_LENGTH_MAX = 512;

/** A bearer token, "" for none: characters of a header, too long to guess. */
export function readToken(given: unknown): string {
  const token = readText(given);
  const { length } = token;
  if (
    token === "" ||
    (isVisible(token) && length >= TOKEN_LENGTH_MIN && length <= TOKEN_LENGTH_MAX)
  )
    return token;
  throw new Unfit(
    `expected ${TOKEN_LENGTH_MIN} to ${TOKEN_LENGTH_MAX} visible ASCII characters, no blanks ` +
      `among them, and it has ${length}${isVisible(token) ? "" : ", with others"}`,
  );
}

function isVisible(text: string): boolean {
  return /^[!-~]*$/.test(text);
}

export function readSystemId(given: unknown): string {
  const id = readText(given);
  if (!/^[A-Za-z0-9_.-]{1,64}$/.test(id))
    throw new Unfit("expected 1 to 64 letters, digits, _ . or -");
  return id;
}

/** Zones lie from UTC-12:00 to UTC+14:00. */
const UTC_OFFSET = /^(\+(0\d|1[0-3]):[0-5]\d|\+14:00|-(0\d|1[01]):[0-5]\d|-12:00)$/;

/** Ship's time against UTC, "" for none. */
export function readUtcOffset(given: unknown): string {
  const offset = readText(given);
  if (offset === "" || UTC_OFFSET.test(offset)) return offset;
  throw new Unfit('expected an offset from -12:00 to +14:00, such as "+05:30"');
}

export function readPrefix(given: unknown): string {
  const prefix = readText(given);
  if (!/^[A-Za-z0-9_.-]+(\/[A-Za-z0-9_.-]+)*$/.test(prefix) || prefix.length > 128)
    throw new Unfit("expected topic levels of letters, digits, _ . or -, without + # or $");
  return prefix;
}

/** Web origins as a browser sends them, or `*` alone for every one. */
export function readOriginList(given: unknown): readonly string[] {
  const origins = readTextList(given);
  if (origins.length === 1 && origins[0] === "*") return origins;
  return origins.map((text) => {
    if (!/^https?:\/\/(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(:\d+)?$/i.test(text) || !URL.canParse(text))
      throw new Unfit("expected origins such as https://office.example:8443, or * alone");
    return new URL(text).origin;
  });
}

/** Host names as a browser sends them: lower case, no port, no dot at the end. */
export function readHostList(given: unknown): readonly string[] {
  return readTextList(given).map((name) => {
    if (!/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*\.?$/.test(name))
      throw new Unfit("expected host names, without scheme, port or *");
    return name.toLowerCase().replace(/\.$/, "");
  });
}

export function readBrokerUrl(given: unknown): string {
  const text = readText(given);
  const url = URL.parse(text);
  const shown = shownUrl(text);
  if (url !== null && (url.username !== "" || url.password !== ""))
    throw new Unfit("expected no password in it: use mqtt.username and mqtt.password_file", shown);
  const isAddress = url !== null && /^mqtts?:$/.test(url.protocol) && url.hostname !== "";
  // Other parts of a URL aren't used, and could be a password.
  if (!isAddress || !/^[^@?#]*$/.test(text) || !/^\/?$/.test(url.pathname))
    throw new Unfit("expected mqtt://host:port or mqtts://host:port", shown);
  return text;
}

/** True if a broker's URL uses TLS. */
export function usesTls(url: string): boolean {
  return brokerAddress(url).protocol === "mqtts";
}

/** The connection options for MQTT.js, which would parse the URL by a deprecated function. */
export function brokerAddress(url: string) {
  const { protocol, hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  return protocol === "mqtts:"
    ? ({ protocol: "mqtts", host, port: port === "" ? 8883 : Number(port) } as const)
    : ({ protocol: "mqtt", host, port: port === "" ? 1883 : Number(port) } as const);
}

export function readListenList(given: unknown): readonly Listen[] {
  const addresses = readTextList(given).map(readListen);
  if (addresses.length === 0) throw new Unfit("expected at least one host:port");
  return addresses;
}

/** The valid addresses of a list, even if others aren't: any page is better than none. */
export function readableListen(given: unknown): readonly Listen[] {
  const texts = typeof given === "string" ? given.split(",").map((text) => text.trim()) : given;
  if (!Array.isArray(texts)) return [];
  return texts.flatMap((text) => {
    try {
      return [readListen(readText(text))];
    } catch {
      return [];
    }
  });
}

function readListen(text: string): Listen {
  const match = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9_.-]+)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  const host = match?.[1] ?? match?.[2];
  if (host === undefined || !(port <= 65_535) || (match?.[1] !== undefined && isIP(host) !== 6))
    throw new Unfit(
      "expected host:port with a port of 0 to 65535, IPv6 in brackets",
      shownAddresses(text),
    );
  return { host, port };
}

export function numberIn(low: number, high: number): (given: unknown) => number {
  return (given) => {
    const value = typeof given === "string" && given.trim() !== "" ? Number(given) : given;
    if (typeof value !== "number" || !(value >= low && value <= high))
      throw new Unfit(`expected a number from ${low} to ${high}`, shownNumber(given));
    return value;
  };
}

export function integerIn(low: number, high: number): (given: unknown) => number {
  const read = numberIn(low, high);
  return (given) => {
    const value = read(given);
    if (!Number.isInteger(value))
      throw new Unfit(`expected an integer from ${low} to ${high}`, shownNumber(given));
    return value;
  };
}

const UNITS: Readonly<Record<string, number>> = { B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 };

export function readBytes(given: unknown): number {
  const text = typeof given === "string" || typeof given === "number" ? String(given).trim() : "";
  const match = /^(\d+)\s*(B|KiB|MiB|GiB)?$/.exec(text);
  const bytes = match === null ? Number.NaN : Number(match[1]) * (UNITS[match[2] ?? "B"] ?? 1);
  if (!Number.isSafeInteger(bytes))
    throw new Unfit("expected bytes, or a number and KiB, MiB, GiB", shownNumber(given));
  return bytes;
}

export function oneOf<const Word extends string>(
  ...words: readonly Word[]
): (given: unknown) => Word {
  return (given) => {
    const word = words.find((allowed) => allowed === given);
    if (word !== undefined) return word;
    const lower = typeof given === "string" ? given.trim().toLowerCase() : null;
    const isNearly = words.some((allowed) => allowed === lower);
    throw new Unfit(`expected ${words.join(" or ")}`, isNearly ? JSON.stringify(given) : null);
  };
}
