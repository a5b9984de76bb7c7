// Types of configuration values, as zod schemas: from TOML, or from the text of an environment
// variable, to the value that the program uses. Each message names the expected value; `form` names
// the form in which a refused value may be shown (shown.ts).

import { isIP } from "node:net";
import * as z from "zod";
import { isPlainLine } from "../ground/plain-text.ts";
import type { StatedReason } from "../ground/reasons.ts";
import { type Form, isSureHost } from "./shown.ts";

/**
 * Options of a check: its message names what is expected, and `reason` is the same for a page. Only
 * the first failing check is reported.
 */
export function expected(what: string, form?: Form, reason?: StatedReason) {
  return { error: `expected ${what}`, abort: true, params: { form, reason } };
}

/** Type of a table whose keys are all known. */
export function table<Shape extends z.ZodRawShape>(shape: Shape, problem = "expected a table") {
  const unknown = `is unknown, expected ${Object.keys(shape).join(", ")}`;
  const error = ({ code }: { readonly code: string }) =>
    code === "unrecognized_keys" ? unknown : problem;
  return z.strictObject(shape, { error });
}

export function isTable(given: unknown): given is Readonly<Record<string, unknown>> {
  return given !== null && typeof given === "object" && !Array.isArray(given);
}

export const text = z.string("expected a text in quotes");

/** Type of a name, or of another line of text for display, of at most `length_max` characters. */
export function name(length_max = 128) {
  const what = `at most ${length_max} characters in UTF-8, without control characters`;
  const more = { code: "line_unfit", values: { max: length_max } } as const;
  return text
    .refine((given) => [...given].length <= length_max, expected(what, "length", more))
    .refine(isPlainLine, expected(what, undefined, more));
}

/** Type of a path, "" for the default; a store's address could have a key in it. */
export const path = text.refine(
  (given) => !given.includes("://"),
  expected("a path on this machine, no address"),
);

export const flag = z
  .literal([true, "true", false, "false"], "expected true or false")
  .transform((given) => String(given) === "true");

export function oneOf<const Word extends string>(...words: readonly Word[]) {
  return z.enum(words, `expected ${words.join(" or ")}`);
}

// Checks the value as it was given, before it is transformed, because a message shows that.
export function number(low: number, high: number) {
  const isIn = (given: unknown) => numberOf(given) >= low && numberOf(given) <= high;
  return z
    .custom<number | string>(
      isIn,
      expected(`a number from ${low} to ${high}`, "number", {
        ...{ code: "number_outside", values: { low, high } },
      }),
    )
    .transform(numberOf);
}

export function integer(low: number, high: number) {
  const isIn = (value: number) => Number.isInteger(value) && value >= low && value <= high;
  return z
    .custom<number | string>(
      (given) => isIn(numberOf(given)),
      expected(`an integer from ${low} to ${high}`, "number", {
        ...{ code: "integer_outside", values: { low, high } },
      }),
    )
    .transform(numberOf);
}

/** Form of a number, without `0x10`: nobody writes a limit in that form. */
const DECIMAL = /^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/;

function numberOf(given: unknown): number {
  const isText = typeof given === "string" && DECIMAL.test(given.trim());
  return isText || typeof given === "number" ? Number(given) : Number.NaN;
}

const UNITS: Readonly<Record<string, number>> = { B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 };

export const bytes = z
  .custom<number | string>(
    (given) => Number.isSafeInteger(bytesOf(given)),
    expected("bytes, or a number and KiB, MiB, GiB", "number"),
  )
  .transform(bytesOf);

function bytesOf(given: unknown): number {
  const written = typeof given === "number" ? String(given) : given;
  if (typeof written !== "string") return Number.NaN;
  const match = /^(\d+)\s*(B|KiB|MiB|GiB)?$/.exec(written.trim());
  return match === null ? Number.NaN : Number(match[1]) * (UNITS[match[2] ?? "B"] ?? 1);
}

/** Minimum length of a token in characters: shorter ones can be guessed. */
const TOKEN_LENGTH_MIN = 16;
const TOKEN_LENGTH_MAX = 512;

/** Type of a bearer token, "" for none: characters allowed in a header, too many to guess. */
export const token = text.refine(
  (given) => given === "" || (isVisible(given) && hasTokenLength(given)),
  {
    error: ({ input }) =>
      `expected ${TOKEN_LENGTH_MIN} to ${TOKEN_LENGTH_MAX} visible ASCII characters, no blanks ` +
      `among them, and it has ${`${input}`.length}${isVisible(`${input}`) ? "" : ", with others"}`,
  },
);

const isVisible = (given: string) => /^[!-~]*$/.test(given);
const hasTokenLength = ({ length }: string) =>
  length >= TOKEN_LENGTH_MIN && length <= TOKEN_LENGTH_MAX;

export const systemId = text.refine(
  (given) => /^[A-Za-z0-9_.-]{1,64}$/.test(given),
  expected("1 to 64 letters, digits, _ . or -", undefined, { code: "id_unfit", values: {} }),
);

/** Type of ship's time against UTC, "" for none. Zones lie from UTC-12:00 to UTC+14:00. */
export const utcOffset = text.refine(
  (given) => OFFSET.test(given),
  expected('an offset from -12:00 to +14:00, such as "+05:30"', "offset", {
    ...{ code: "zone_unfit", values: {} },
  }),
);

const OFFSET = /^(\+(0\d|1[0-3]):[0-5]\d|\+14:00|-(0\d|1[01]):[0-5]\d|-12:00)?$/;

export const prefix = text.refine(
  (given) => /^(?=.{1,128}$)[A-Za-z0-9_.-]+(\/[A-Za-z0-9_.-]+)*$/.test(given),
  expected("topic levels of letters, digits, _ . or -, without + # or $", undefined, {
    ...{ code: "prefix_unfit", values: {} },
  }),
);

/** Type of a list of texts, or one text with commas. */
export const textList = z
  .preprocess(divided, z.array(text, "expected a text or a list of texts"))
  .transform((items) => items.filter((item) => item !== ""));

function divided(given: unknown): unknown {
  return typeof given === "string" ? given.split(",").map((item) => item.trim()) : given;
}

const ORIGIN = /^https?:\/\/(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(:\d+)?$/i;
const ORIGINS_EXPECTED = "expected origins such as https://office.example:8443, or * alone";

const origin = text
  .refine((given) => ORIGIN.test(given) && URL.canParse(given), { abort: true })
  .transform((given) => new URL(given).origin);

/** Type of a list of web origins as a browser sends them, or `*` alone for all origins. */
export const originList = textList.pipe(
  z.union([z.tuple([z.literal("*")]), z.array(origin)], ORIGINS_EXPECTED),
);

/** Type of a list of host names as a browser sends them: lower case, no port, no dot at the end. */
export const hostList = textList.pipe(
  z.array(
    text
      .regex(
        /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*\.?$/,
        "expected host names, without scheme, port or *",
      )
      .transform((name) => name.toLowerCase().replace(/\.$/, "")),
  ),
);

/** Form of a field's name and the ends of its span: `UVR_INTENSITY 0 1200`. */
export const SPAN_FORM = /^([A-Z][A-Z0-9_]{0,63}) +(-?\d+(?:\.\d+)?) +(-?\d+(?:\.\d+)?)$/;

export const spanList = textList.pipe(
  z.array(
    text.regex(
      SPAN_FORM,
      "expected a field and its lowest and highest value, UVR_INTENSITY 0 1200",
    ),
  ),
);

/** Type of a broker's URL; its login is in other keys of `section`. */
const urlOfBroker = (section: string, isOptional: boolean) =>
  text
    .refine(
      (given) => `${URL.parse(given)?.username ?? ""}${URL.parse(given)?.password ?? ""}` === "",
      expected(`no password in it: use ${section}.username and ${section}.password_file`, "url"),
    )
    // Other parts of a URL aren't used, and could contain a password.
    .refine(
      (given) =>
        (isOptional && given === "") ||
        (/^mqtts?:\/\/[^@?#/]+\/?$/i.test(given) && URL.canParse(given)),
      expected("mqtt://host:port or mqtts://host:port", "url"),
    );

export const brokerUrl = urlOfBroker("mqtt", false);
/** Type of the URL of the Sparkplug hosts' broker, "" for none. */
export const sparkplugUrl = urlOfBroker("sparkplug", true);

/** Type of an id in Sparkplug's topics, "" for the default. */
export const sparkplugId = text.regex(
  /^[^+#/\p{Cc}]{0,128}$/u,
  "expected up to 128 characters, without + # /",
);

/** Type of the office's URLs. Other parts of a URL aren't used, and could contain a password. */
export const shoreList = textList.pipe(
  z.array(
    text.refine(
      (given) =>
        /^postgres(ql)?:\/\/[\w.-]+@[^@?#/:]+(:\d+)?\/[\w-]+(\?sslnegotiation=direct)?$/i.test(
          given.replace(/@\[[0-9a-f:.]+\]/i, "@host"),
        ) && URL.canParse(given),
      expected("postgres://role@host:port/database, without a password", "url"),
    ),
  ),
);

/** Type of the URL of a bucket, with folders in it. Other parts of a URL could contain a secret. */
export const objectsUrl = text.refine(
  (given) =>
    given === "" ||
    (/^https?:\/\/[^@?#/]+\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[\w!.*'()-]+)*\/?$/.test(given) &&
      URL.canParse(given)),
  expected("https://host:port/bucket/folder, without a key", "url"),
);

/** Type of a public key's pin in curl's form, "" for none. */
export const keyPin = text.regex(
  /^(sha256\/\/[A-Za-z0-9+/]{43}=)?$/,
  "expected sha256// and 44 characters of Base64",
);

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

/** An address to listen on; an IPv6 `host` has no brackets here. */
export interface Listen {
  readonly host: string;
  readonly port: number;
}

const listen = text.transform((given, context): Listen => {
  const match = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9_.-]+)):(\d{1,5})$/.exec(given);
  const port = Number(match?.[3]);
  const host = match?.[1] ?? match?.[2];
  if (host !== undefined && port <= 65_535 && (match?.[1] === undefined || isIP(host) === 6))
    return { host, port };
  context.addIssue({
    code: "custom",
    message: "expected host:port with a port of 0 to 65535, IPv6 in brackets",
    input: given,
    params: { form: "address", reason: { code: "address_unfit", values: {} } },
  });
  return z.NEVER;
});

export const noneOrListenList = textList.pipe(z.array(listen));
export const listenList = textList.pipe(
  z
    .array(listen)
    .refine(
      ({ length }) => length > 0,
      expected("at least one host:port", undefined, { code: "address_missing", values: {} }),
    ),
);

/** The readable addresses of several given ones, for recovery mode to listen on. */
export function readableListen(given: unknown): Listen[] {
  return [divided(given)].flat().flatMap((one) => listen.safeParse(one).data ?? []);
}

/** `host:port` as it is printed, IPv6 in brackets. */
export function printListen({ host, port }: Listen): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}

/** As `printListen`, for a message: without a name, which may be a secret. */
export const shownListen = (listen: Listen): string =>
  isSureHost(listen.host) ? printListen(listen) : `...:${listen.port}`;
