// Checks of the ports and of the ship's broker. Each address is bound for a moment and released; a
// running instance holds the ports itself, and reports them.

import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { Config } from "../../config/config.ts";
import { bindOptions } from "../../config/listening.ts";
import { brokerAddress, type Listen, printListen, shownListen } from "../../config/values.ts";
import { codeOf, isUnknownHost, messageOf } from "../../ground/errors.ts";
import { checkRecovery } from "./check-recovery.ts";
import { type Finding, failed, ok, warning } from "./finding.ts";

/** Maximum wait for the broker, which is on the ship's own LAN, but may be slow. */
const CONNECT_MAX_MS = 10_000;

/** Tests if the configured addresses can be bound; only for a system without a running instance. */
export async function checkPorts(config: Config): Promise<readonly Finding[]> {
  const { http, mqtt, modbus } = config;
  const recovery = await checkRecovery(config);
  const wanted = [
    // In recovery mode the process holds these addresses, or waits for them.
    ...(recovery === null ? http.listen.map((listen) => ({ key: "http.listen", listen })) : []),
    ...(mqtt.mode === "embedded"
      ? mqtt.listen.map((listen) => ({ key: "mqtt.listen", listen }))
      : []),
    ...modbus.listen.map((listen) => ({ key: "modbus.listen", listen })),
  ];
  const stopped = warning("service", "no instance runs", "systemctl start ballastd");
  const all = wanted.map(({ listen }) => listen);
  const ports = wanted.map((one) => checkPort(one, all));
  return [recovery ?? stopped, ...(await Promise.all(ports))];
}

interface WantedPort {
  readonly key: string;
  readonly listen: Listen;
}

async function checkPort({ key, listen }: WantedPort, all: readonly Listen[]): Promise<Finding> {
  const server = createServer();
  const what = `port of ${key}`;
  try {
    server.listen(bindOptions(listen, all));
    await once(server, "listening");
    return ok(what, `${printListen(listen)} is free`);
  } catch (error) {
    const problem =
      codeOf(error) === "EADDRINUSE" ? "is taken by another program" : messageOf(error);
    const fix = `ss -ltnp shows by which; or set ${key} to another`;
    return failed(what, `${shownListen(listen)} ${problem}`, fix);
  } finally {
    server.close();
  }
}

/** Tests if the addresses of brokers accept connections: in client mode, and Sparkplug's. */
export async function checkBrokers({ mqtt, sparkplug }: Config): Promise<readonly Finding[]> {
  return [
    ...(mqtt.mode === "client" ? [await checkBroker("mqtt.url", mqtt.url)] : []),
    ...(sparkplug.url === "" ? [] : [await checkBroker("sparkplug.url", sparkplug.url)]),
  ];
}

async function checkBroker(key: string, url: string): Promise<Finding> {
  const { host, port } = brokerAddress(url);
  const socket = connect({ host, port, timeout: CONNECT_MAX_MS });
  try {
    await Promise.race([once(socket, "connect"), timeOut(socket)]);
    return ok("broker", `${url} takes connections`);
  } catch (error) {
    const fix = `look at the cable, the broker's service, and ${key}`;
    const where = isUnknownHost(error) ? key : url;
    return failed("broker", `${where} can't be reached (${messageOf(error)})`, fix);
  } finally {
    socket.destroy();
  }
}

async function timeOut(socket: ReturnType<typeof connect>): Promise<never> {
  await once(socket, "timeout");
  throw new Error(`no answer within ${CONNECT_MAX_MS} ms`);
}
