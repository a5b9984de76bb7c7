// A test message, sent as a PLC would: to each address of this computer, with the PLC's login, on
// the topic of the readings. It is an empty list, of which nothing is stored; its acknowledgement
// shows that address, port and login are right. A firewall on the way to the PLC it can't show.

import { connectAsync } from "mqtt";
import type { SettingsNow, TestMessages } from "../bwts/settings.ts";
import { messageOf } from "../ground/errors.ts";

const ANSWER_MAX_MS = 10_000;
/** Maximum number of addresses tried: a computer hardly has more networks. */
const ADDRESSES_MAX = 8;

export async function sendTestMessages(
  plc: SettingsNow["plc"],
  password: string,
): Promise<TestMessages> {
  const sent = plc.addresses.slice(0, ADDRESSES_MAX).map(async (address, index) => ({
    address,
    // Two clients with one id would disconnect each other.
    problem: await problemAt(address, { plc, password, clientId: `ballastd-test-${index + 1}` }),
  }));
  return { sent: await Promise.all(sent) };
}

interface TestLogin {
  readonly plc: SettingsNow["plc"];
  readonly password: string;
  readonly clientId: string;
}

/** The reason why the message isn't acknowledged; null if it is. */
async function problemAt(
  address: string,
  { plc, password, clientId }: TestLogin,
): Promise<string | null> {
  const asking = AbortSignal.timeout(ANSWER_MAX_MS);
  const late = new Promise<never>((_, reject) => {
    asking.addEventListener("abort", () => reject(new Error("no answer within 10 s")));
  });
  const connecting = connectAsync(`${plc.tls ? "mqtts" : "mqtt"}://${address}`, {
    ...{ reconnectPeriod: 0, connectTimeout: ANSWER_MAX_MS, protocolVersion: 4 },
    ...(plc.user === null ? {} : { username: plc.user, password }),
    // The certificate is this computer's own.
    rejectUnauthorized: false,
    clientId,
  });
  try {
    const client = await Promise.race([connecting, late]);
    await Promise.race([client.publishAsync(`${plc.topic}/telemetry`, "[]", { qos: 1 }), late]);
    return null;
  } catch (error) {
    return messageOf(error);
  } finally {
    late.catch(() => {});
    connecting.then(
      (client) => client.end(true),
      () => {},
    );
  }
}
