// `ballastd map try`: shows messages before and after the map, live or from a file. It uses the
// writer's decoder and stores nothing; its output contains foreign text and is escaped.

import { readFileSync } from "node:fs";
import { openLive } from "../../app/live-messages.ts";
import {
  type MapTrial,
  openMapTrial,
  type TriedMessage,
  type TriedTag,
} from "../../app/map-trial.ts";
import { readPassword } from "../../app/secret-files.ts";
import type { Message } from "../../bwts/message.ts";
import type { Config } from "../../config/config.ts";
import { integer } from "../../config/values.ts";
import { SECOND_MS, systemClock } from "../../ground/clock.ts";
import { codeOf, EXIT, Failure, messageOf } from "../../ground/errors.ts";
import { exactJson } from "../../ground/exact-json.ts";
import { openLog } from "../../ground/log.ts";
import { atPath } from "../../ground/owner.ts";
import { escapedJson } from "../../ground/quoted.ts";
import { filterMatches, filterProblem } from "../../ground/topic-filter.ts";
import { escaped, listDocument } from "../document.ts";
import { configOf } from "../instance-data.ts";
import { optionValue, readLine, wrongAction } from "../options.ts";

export const summary = "show messages before and after the map of the configuration";

export const help = `usage: ballastd map try [options]
       ballastd map try --topic TOPIC --payload FILE [--config FILE] [--json]

Decodes messages by the configuration's [map]: shows each tag with its value, its field and the
value there, or the reason for none. No message is stored, and the service isn't disturbed. In
client mode it subscribes at the ship's broker by its own connection. In embedded mode the running
instance provides copies; if none runs, it listens on mqtt.listen itself and acknowledges nothing,
so that the PLC sends the messages again.

  --config FILE   the configuration with the map; it may be another than the running instance's
  --topic FILTER  only topics that match, + and # allowed; in client mode any topic of the broker
  --seconds N     duration in seconds, 1 to 86400 (60)
  --count N       most messages
  --payload FILE  this message instead of live ones, on --topic; - is standard input
  --json          a JSON list, of an object a message

Examples:
  ballastd map try --topic 'ship/#' --seconds 10
  echo '{"PT101": 350}' | ballastd map try --topic ship/uv1 --payload -`;

const OPTIONS = {
  topic: { type: "string" },
  seconds: { type: "string", default: "60" },
  count: { type: "string" },
  payload: { type: "string" },
} as const;

export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = readLine(args, OPTIONS);
  if (positionals.length !== 1 || positionals[0] !== "try")
    throw wrongAction("map", positionals.join(" "), "map try");
  const seconds = optionValue("seconds", integer(1, 86_400), values.seconds);
  const count =
    values.count === undefined ? null : optionValue("count", integer(1, 1_000_000), values.count);
  const topic = values.topic ?? null;
  const problem = topic === null ? null : filterProblem(topic);
  if (problem !== null) throw new Failure(EXIT.usage, `--topic ${topic}: ${problem}`);
  const config = configOf(values);
  const trial = openMapTrial(config);
  const { payload } = values;
  const tryAll = async (tell: (tried: TriedMessage) => void) => {
    const print = (message: Message) => tell(trial.try(message));
    if (payload !== undefined) print(messageFrom(payload, topic));
    else await tryLive({ config, trial, topic, seconds, count, print });
  };
  if (values.json) await listDocument(tryAll);
  else await tryAll((tried) => process.stdout.write(textOf(tried)));
}

interface TrySession {
  readonly config: Config;
  readonly trial: MapTrial;
  readonly topic: string | null;
  readonly seconds: number;
  readonly count: number | null;
  readonly print: (message: Message) => void;
}

async function tryLive({ config, trial, topic, seconds, count, print }: TrySession): Promise<void> {
  const done = Promise.withResolvers<void>();
  let shown = 0;
  let missed = 0;
  const live = await openLive({
    config,
    password: readPassword(config.mqtt.password_file),
    filters: topic === null ? trial.filters : [topic],
    onMessage(message) {
      if (shown === count || (topic !== null && !filterMatches(topic, message.topic))) return;
      print(message);
      shown += 1;
      if (shown === count) done.resolve();
    },
    onMissed(number) {
      missed += number;
    },
    log: openLog("error"),
  });
  process.stderr.write(`messages from ${live.from}\n`);
  const end = setTimeout(done.resolve, seconds * SECOND_MS);
  process.once("SIGINT", done.resolve).once("SIGTERM", done.resolve);
  try {
    await Promise.race([done.promise, live.lost]);
  } finally {
    clearTimeout(end);
    live.lost.catch(() => null);
    await live.close();
  }
  process.stderr.write(`${closingLines(trial, { shown, missed }).join("\n")}\n`);
}

function closingLines(
  trial: MapTrial,
  { shown, missed }: { readonly shown: number; readonly missed: number },
): readonly string[] {
  const fast = missed === 0 ? "" : `, ${missed} more came too fast to be shown`;
  const unseen = trial
    .unseen()
    .map(
      ({ where, topic, tag }) => `  ${where}: ${JSON.stringify(tag)} on ${topic ?? "our topics"}`,
    );
  return [
    `${shown} messages${fast}`,
    ...(unseen.length === 0 ? [] : ["rules of which no tag came:", ...unseen.map(escaped)]),
  ];
}

function messageFrom(file: string, topic: string | null): Message {
  if (topic === null || /[+#]/.test(topic))
    throw new Failure(
      EXIT.usage,
      `--payload ${file}: expected --topic, without + and #, beside it`,
    );
  const payload = readPayload(file);
  return {
    topic,
    payload,
    payload_bytes: payload.length,
    received_ms: systemClock.now_ms(),
    ...{ qos: 1, retain: false, dup: false, client: "", packet_id: null, will: false },
  };
}

function readPayload(file: string): Uint8Array {
  try {
    return file === "-" ? readFileSync(0) : atPath(file, () => readFileSync(file));
  } catch (error) {
    throw new Failure(EXIT.failed, `${file}: can't be read (${codeOf(error) ?? messageOf(error)})`);
  }
}

/** Maximum length of a shown payload, and of a shown value, in characters. */
const PAYLOAD_SHOWN_MAX = 200;
const VALUE_SHOWN_MAX = 60;

function textOf(tried: TriedMessage): string {
  const { timestamps, tags, more_tags, records, quarantined } = tried;
  const [first, ...others] = timestamps;
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  const what =
    first === undefined
      ? records > 0
        ? `${records} records`
        : "no reading"
      : `reading of ${first}`;
  const width = Math.max(0, ...tags.map(({ tag }) => shownTag(tag).length));
  return [
    `${escaped(tried.topic)}: ${what}${more}`,
    `  ${cut(escaped(tried.payload), PAYLOAD_SHOWN_MAX)}`,
    ...tags.map((tag) => `    ${tagLine(tag, width)}`),
    ...(more_tags === 0 ? [] : [`    and ${more_tags} more tags`]),
    ...quarantined.map(({ reason, detail }) => `  quarantined: ${reason}: ${escaped(detail)}`),
    "",
    "",
  ].join("\n");
}

function tagLine({ tag, given, field, value, unit, remark }: TriedTag, width: number): string {
  const before = `${shownTag(tag).padEnd(width)} ${shownValue(given)}`;
  const after =
    value === null
      ? ""
      : ` -> ${escaped(field ?? "")} ${shownValue(value)}${unit ? ` ${unit}` : ""}`;
  return `${before}${after}${remark === null ? "" : `  (${escaped(remark)})`}`;
}

const shownTag = (tag: string) => (tag === "" ? "(payload)" : cut(escaped(tag), VALUE_SHOWN_MAX));

function shownValue(value: unknown): string {
  const text =
    typeof value === "number" ? String(value) : value === undefined ? "none" : exactJson(value);
  return cut(escapedJson(text), VALUE_SHOWN_MAX);
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}...` : text;
}
