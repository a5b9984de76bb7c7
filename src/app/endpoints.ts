// Opens the listeners of HTTP and MQTT (or the MQTT client), and the edge node of Sparkplug, as
// configured, on the parts of the running appliance.

import path from "node:path";
import { BY_SELF } from "../bwts/audit.ts";
import type { Missing } from "../config/listening.ts";
import { readableListen } from "../config/values.ts";
import type { Log } from "../ground/log.ts";
import { openFilesMax } from "../ground/open-files.ts";
import { readDashboard, readManual } from "../http/static-files.ts";
import { openBroker } from "../mqtt/broker.ts";
import { openClient } from "../mqtt/client.ts";
import type { MqttEndpoint, Take } from "../mqtt/endpoint.ts";
import { statusTopic } from "../mqtt/own-status.ts";
import { BROKER_LIMITS } from "../mqtt/shared-limits.ts";
import { sendTestMessages } from "../mqtt/test-message.ts";
import { spansAboard } from "../payload/own-spans.ts";
import { deviceSource } from "../scada/device-source.ts";
import { openSparkplug, type SparkplugNode } from "../scada/edge-node.ts";
import { MODBUS_CONNECTIONS_MAX } from "../scada/modbus-server.ts";
import type { Query } from "../sqlite/answers/queries.ts";
import { ReadersBusy } from "../sqlite/file/query.ts";
import type { Readers } from "../sqlite/threads/readers.ts";
import { openAskedBackup } from "./asked-backup.ts";
import { openAskedConfig, type Restarts } from "./asked-config.ts";
import type { StartConfig, StartSupport } from "./asked-support.ts";
import { openAskedTokens } from "./asked-tokens.ts";
import { askedSheet } from "./control/asked-sheet.ts";
import { COMMANDS_MAX } from "./control/control.ts";
import type { LostLinks } from "./lost-links.ts";
import type { Metrics } from "./metrics.ts";
import { type OpenedParts, openedWriter } from "./parts.ts";
import { askPlant, isLive } from "./plant-metrics.ts";
import { clockOf, readinessOf } from "./readiness.ts";
import { readPassword, readToken } from "./secret-files.ts";
import type { SeenTopics } from "./seen-topics.ts";
import { CONNECTIONS_MAX, type Http, openHttp } from "./server.ts";
import { removeUntaken } from "./settings-at-start.ts";
import { settingsNow } from "./settings-now.ts";
import type { ShoreNow } from "./shore-now.ts";
import { systemNow } from "./system-now.ts";
import { holderLookup } from "./tokens.ts";

/** The reaction to a taken port: the demo fails at once; the service aboard waits for the port. */
export function missingIn({ isSimulated }: OpenedParts): Missing {
  return isSimulated ? "refuse" : "wait";
}

/**
 * Maximum number of files and pipes that ballastd itself has open, rounded up: 43 at rest, more
 * during backups, exports, sorts, and sending to the office.
 */
const OWN_FILES_MAX = 256;

/** Maximum number of connections of each kind. */
interface ConnectionShares {
  readonly http: number;
  readonly mqtt: number;
}

/**
 * Divides the number of files that the process may open among the connections. All together stay
 * below it, so that the admission makes room before the system refuses new clients.
 */
export function connectionsFor(files_max: number): ConnectionShares {
  const spare = files_max - OWN_FILES_MAX - MODBUS_CONNECTIONS_MAX - COMMANDS_MAX;
  const http = Math.min(CONNECTIONS_MAX, Math.max(1, Math.floor(spare / 2)));
  return { http, mqtt: Math.min(BROKER_LIMITS.connections_max, Math.max(1, spare - http)) };
}

interface FrontTools {
  readonly sqlite: string;
  readonly metrics: Metrics;
  readonly shore: ShoreNow;
  readonly seen: SeenTopics;
  readonly support: StartSupport;
  readonly given: StartConfig;
  readonly restarts: Restarts;
  readonly log: Log;
}

export function openFront(parts: OpenedParts, tools: FrontTools): Promise<Http> {
  const { config, build } = parts;
  const { sqlite, metrics, support, log } = tools;
  const token = readToken(config, log);
  const files_max = openFilesMax();
  const connections = connectionsFor(files_max);
  if (connections.mqtt < BROKER_LIMITS.connections_max)
    log.warn("fewer connections are taken: this process may open few files (LimitNOFILE)", {
      ...{ files_max, http_max: connections.http, mqtt_max: connections.mqtt },
    });
  return openHttp({
    listen: config.http.listen,
    missing: missingIn(parts),
    connections_max: connections.http,
    certificate: parts.certificates.http,
    allowed_hosts: config.http.allowed_hosts,
    cors_origins: config.http.cors_origins,
    record_book: config.record_book,
    lamps: config.lamps,
    spans: spansAboard(config),
    monitoring: config.auth.monitoring,
    holderOf: holderLookup(token, () => parts.writer?.tokens() ?? null),
    note: parts.audit.note,
    readers: {
      async ask(query: Query) {
        if (parts.readers === null) throw new ReadersBusy("the database is being opened");
        return parts.readers.ask(query);
      },
    },
    async write(name, ...given) {
      return openedWriter(parts).call(name, ...given);
    },
    stream: parts.stream,
    readiness: () => readinessOf(parts),
    clock: () => clockOf(parts),
    shore: tools.shore,
    system: () => systemNow(parts, sqlite),
    inspection: askedSheet(parts),
    backUp: openAskedBackup(parts),
    settings: settingsAsked(parts, tools),
    seenTopics: tools.seen.now,
    tokens: openAskedTokens(parts, token),
    support,
    metrics: metrics.text,
    onAnswered: metrics.onAnswered,
    build,
    sqliteVersion: sqlite,
    files: new Map([...readDashboard(), ...readManual()]),
    log,
  });
}

function settingsAsked(parts: OpenedParts, { given, restarts, log }: FrontTools) {
  const { config, audit } = parts;
  const ports = () => {
    const mqtt = config.mqtt.mode === "embedded" ? (parts.mqtt?.status().where ?? "") : "";
    const bound = [...(parts.http?.addresses() ?? []), ...mqtt.split(", ")];
    return new Set(readableListen(bound).map(({ port }) => port));
  };
  const untaken = removeUntaken(given.env, config);
  if (untaken !== null) {
    log.error("settings were refused before this start", { reason: untaken });
    audit.write({ ...BY_SELF, kind: "settings", detail: { refused: "at the restart" } });
  }
  return {
    now: () => settingsNow({ given, parts, untaken }),
    change: openAskedConfig({ given, config, ports, restarts, log, write: audit.write }),
    test: async () => {
      const { plc } = settingsNow({ given, parts, untaken });
      return plc.mode === "client"
        ? null
        : sendTestMessages(plc, readPassword(config.mqtt.password_file));
    },
  };
}

interface EndpointTools {
  /** The filters to subscribe to in client mode. */
  readonly topics: readonly string[];
  readonly take: Take;
  readonly links: Pick<LostLinks, "connected" | "lost">;
  readonly log: Log;
}

export function openMqtt(
  parts: OpenedParts,
  { topics, links, ...tools }: EndpointTools,
): Promise<MqttEndpoint> {
  const { mqtt, storage, system } = parts.config;
  const common = {
    ...tools,
    clock: parts.clock,
    certificate: parts.certificates.mqtt,
    username: mqtt.username,
    password: readPassword(mqtt.password_file),
  };
  return mqtt.mode === "embedded"
    ? openBroker({
        ...common,
        listen: mqtt.listen,
        missing: missingIn(parts),
        limits: { connections_max: connectionsFor(openFilesMax()).mqtt },
        note: parts.audit.note,
        onConnected: links.connected,
        onWill: links.lost,
      })
    : openClient({
        ...common,
        url: mqtt.url,
        client_id: mqtt.client_id,
        topics,
        status: { topic: statusTopic(mqtt.prefix, system.id), isWanted: mqtt.status },
        session_file: path.join(storage.dir, "mqtt-session.json"),
      });
}

/** The edge node of Sparkplug; null if no broker is configured for it. */
export function openLiveView(
  parts: OpenedParts,
  { readers, log }: { readonly readers: Readers; readonly log: Log },
): SparkplugNode | null {
  const { sparkplug } = parts.config;
  if (sparkplug.url === "") return null;
  const isPlantLive = async () => {
    const plant = (await askPlant(parts))?.plant ?? null;
    return plant !== null && isLive(plant, parts);
  };
  return openSparkplug({
    ...sparkplug,
    password: readPassword(sparkplug.password_file, "sparkplug"),
    certificate: parts.certificates.sparkplug,
    version: parts.build.version,
    source: deviceSource(readers, spansAboard(parts.config), isPlantLive),
    clock: parts.clock,
    log,
  });
}
