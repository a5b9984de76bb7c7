// A broker that notes each message before it acknowledges it, as ballastd does, and that can be cut
// off at any message as a power cut does.

import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { Aedes } from "aedes";
import { startOnPort } from "./port.ts";

export interface Recorder extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  /** In the order in which they came; what was sent again is there again. */
  readonly messages: { readonly topic: string; readonly payload: string }[];
  /** Closes every connection at once and takes no new ones. */
  cut(): void;
  /** Takes connections again, on the same port. */
  restart(): Promise<void>;
}

export interface RecorderOptions {
  /** False: notes messages and never acknowledges one. */
  readonly acknowledges: boolean;
  /** Refuses every other password; by default none is asked for. */
  readonly password?: string;
}

export async function openRecorder(options: RecorderOptions): Promise<Recorder> {
  const messages: { topic: string; payload: string }[] = [];
  const sockets = new Set<Socket>();
  const broker = await Aedes.createBroker({
    authenticate: (_client, _user, password, done) =>
      done(null, options.password === undefined || password?.toString() === options.password),
    authorizePublish: (_client, { topic, payload }, done) => {
      messages.push({ topic, payload: payload.toString() });
      if (options.acknowledges) setImmediate(() => done(null));
    },
  });
  const accept = (socket: Socket) => {
    sockets.add(socket);
    broker.handle(socket);
  };
  let { server, port, release } = await startOnPort(async (reserved) => ({
    ...reserved,
    server: await listening(reserved.port, accept),
  }));
  const cut = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return {
    port,
    url: `mqtt://127.0.0.1:${port}`,
    messages,
    cut,
    async restart() {
      server = await listening(port, accept);
    },
    async [Symbol.asyncDispose]() {
      cut();
      release();
      await new Promise<void>((done) => broker.close(done));
    },
  };
}

async function listening(port: number, accept: (socket: Socket) => void): Promise<Server> {
  const server = createServer(accept).listen(port, "127.0.0.1");
  await once(server, "listening");
  return server;
}
