// Refuses configurations whose keys contradict each other or would be dangerous aboard, after each
// key was read on its own. The message names the keys.

import { isLoopback } from "../ground/admission.ts";
import type { Config } from "./config.ts";
import { refused } from "./shown.ts";
import { printListen, usesTls } from "./values.ts";

/** 33 CFR 151.2070(d) and the BWMS Code ask for records of 24 months. */
const RETENTION_MONTHS_MIN = 24;

/** The parts of a configuration that the rules check. */
type RuledSections = Pick<Config, "http" | "mqtt" | "limits" | "storage">;

/** Throws a Failure (exit 78) for the first broken rule. */
export function refuseContradictions({ http, mqtt, limits, storage }: RuledSections): void {
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
  refuseHalf("mqtt.username", mqtt.username, "mqtt.password_file", mqtt.password_file);
  refuseHalf("http.tls_cert", http.tls_cert, "http.tls_key", http.tls_key);
  refuseHalf("mqtt.tls_cert", mqtt.tls_cert, "mqtt.tls_key", mqtt.tls_key);
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

function refuseHalf(one: string, given: string, other: string, others: string): void {
  if ((given === "") === (others === "")) return;
  const [set, missing] = others === "" ? [one, other] : [other, one];
  throw refused(set, `is set, but ${missing} is not: set both or neither`);
}
