// Refuses configurations whose keys contradict each other or would be dangerous aboard, after each
// key was read on its own. The message names the keys.

import { isLoopback } from "../ground/client-address.ts";
import { EXIT, Failure } from "../ground/errors.ts";
import { shownValue } from "./shown.ts";
import { type Listen, printListen, usesTls } from "./values.ts";

/** 33 CFR 151.2070(d) and the BWMS Code ask for records of 24 months. */
const RETENTION_MONTHS_MIN = 24;

interface Certificate {
  readonly tls_cert: string;
  readonly tls_key: string;
}

/** The parts of a configuration that the rules check. */
interface Judged {
  readonly http: Certificate;
  readonly mqtt: Certificate & {
    readonly mode: "embedded" | "client";
    readonly url: string;
    readonly listen: readonly Listen[];
    readonly username: string;
    readonly password_file: string;
    readonly tls_ca: string;
    readonly status: boolean;
  };
  readonly limits: { readonly cabinet_warn: number; readonly cabinet_trip: number };
  readonly storage: {
    readonly retention_months: number;
    readonly short_retention: boolean;
    readonly free_warn: number;
    readonly free_stop: number;
  };
}

/** Throws a Failure (exit 78) for the first broken rule. */
export function refuseContradictions({ http, mqtt, limits, storage }: Judged): void {
  if (storage.retention_months < RETENTION_MONTHS_MIN && !storage.short_retention)
    throw refused(
      "storage.retention_months",
      `is ${storage.retention_months}, expected ${RETENTION_MONTHS_MIN} or more: records of two ` +
        "years are required; storage.short_retention = true allows less",
    );
  if (storage.free_warn < storage.free_stop)
    throw refused(
      "storage.free_warn",
      `is ${storage.free_warn}, expected storage.free_stop (${storage.free_stop}) or more`,
    );
  if (mqtt.username === "" && mqtt.password_file !== "")
    throw refused("mqtt.password_file", "is set, but mqtt.username is not: set both or neither");
  if (mqtt.username !== "" && mqtt.password_file === "")
    throw refused("mqtt.username", "is set, but mqtt.password_file is not: set both or neither");
  refuseHalfTls("http", http);
  refuseHalfTls("mqtt", mqtt);
  if (mqtt.mode === "embedded" && mqtt.tls_ca !== "" && mqtt.tls_cert === "")
    throw refused("mqtt.tls_ca", "is set, but mqtt.tls_cert and mqtt.tls_key are not");
  if (mqtt.mode === "client" && !usesTls(mqtt.url) && mqtt.tls_ca + mqtt.tls_cert !== "")
    throw refused(
      "mqtt.url",
      `is ${mqtt.url}, expected mqtts:// because mqtt.tls_ca or mqtt.tls_cert is set`,
    );
  if (mqtt.mode === "embedded" && mqtt.status)
    throw refused(
      "mqtt.status",
      "is true, but mqtt.mode is embedded, where nothing is ever published: " +
        'set mqtt.mode = "client", or leave mqtt.status out',
    );
  const open = mqtt.mode === "embedded" && mqtt.listen.find((listen) => !isLoopback(listen.host));
  if (open && mqtt.username === "")
    throw refused(
      "mqtt.listen",
      `${printListen(open)} is reachable from outside: set mqtt.username and mqtt.password_file`,
    );
  if (limits.cabinet_trip <= limits.cabinet_warn)
    throw refused(
      "limits.cabinet_trip",
      `is ${limits.cabinet_trip}, expected more than limits.cabinet_warn (${limits.cabinet_warn})`,
    );
}

function refuseHalfTls(section: "http" | "mqtt", { tls_cert, tls_key }: Certificate): void {
  if ((tls_cert === "") === (tls_key === "")) return;
  const [given, missing] = tls_key === "" ? ["tls_cert", "tls_key"] : ["tls_key", "tls_cert"];
  throw refused(
    `${section}.${given}`,
    `is set, but ${section}.${missing} is not: set both or neither`,
  );
}

/** A refused configuration: `where` names the key, `problem` describes the fault. */
export function refused(where: string, problem: string): Failure {
  return new Failure(EXIT.config, `configuration: ${where} ${problem}`);
}

/** As `refused`, for a value that isn't what is `expected`, and how much of it may be shown. */
export function refusedValue(
  where: string,
  { given, shown }: { readonly given: unknown; readonly shown: string | null },
  expected: string,
): Failure {
  return refused(where, `${shownValue(given, shown)}, ${expected}`);
}
