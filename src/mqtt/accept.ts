// Accepts the broker's connections, plain or over TLS. Their number is limited; over TLS the
// handshake must succeed, and with a configured authority the publisher's certificate is checked.
// The result is a socket that carries MQTT; its own limits are in guard.ts.

import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import type { WatchedCertificate } from "../config/certificate-watch.ts";
import type { Admission, AdmittedSocket } from "../ground/admission.ts";
import { MINUTE_MS, SECOND_MS } from "../ground/clock.ts";
import { codeOf, messageOf } from "../ground/errors.ts";

/** TCP keep-alive, for publishers without an MQTT keep-alive. */
const TCP_KEEPALIVE_MS = MINUTE_MS;

/** Time limit for the TLS handshake. A PLC starts it at once; a port scanner never does. */
const HANDSHAKE_TIMEOUT_MS = 30 * SECOND_MS;

/** Maximum length of a certificate's subject in the log, in characters. */
const SUBJECT_MAX = 100;

const TCP = { noDelay: true, keepAlive: true, keepAliveInitialDelay: TCP_KEEPALIVE_MS } as const;

/** The source of connections, and the handlers for them. */
export interface Accepting {
  readonly certificate: WatchedCertificate | null;
  readonly admission: Admission;
  readonly onSocket: (socket: Socket, admitted: AdmittedSocket) => void;
  /** Called after a failed handshake, with the reason. */
  readonly onFailed: (remote: string, reason: string) => void;
}

/** A server that isn't listening yet. */
export function acceptingServer(accepting: Accepting): Server {
  const { certificate, admission, onSocket, onFailed } = accepting;
  if (certificate === null)
    return createServer(TCP, (socket) => {
      const admitted = admission.admit(socket);
      if (admitted !== null) onSocket(socket, admitted);
    });
  const credentials = certificate.credentials();
  const asked = credentials.ca !== undefined;
  const server = createTlsServer({
    ...TCP,
    ...credentials,
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    requestCert: asked,
    rejectUnauthorized: false, // checked below, where the log can name its owner
  });
  certificate.onChange((changed) => server.setSecureContext(changed));
  server.on("connection", (socket) => admission.admit(socket));
  server.on("secureConnection", (socket) => {
    const admitted = admission.admittedOf(socket);
    if (asked && !socket.authorized) onFailed(remoteOf(socket), refusalOf(socket));
    else if (admitted !== null) return onSocket(socket, admitted);
    socket.destroy();
  });
  server.on("tlsClientError", (error, socket) => {
    onFailed(remoteOf(socket), codeOf(error) ?? messageOf(error));
    socket.destroy();
  });
  return server;
}

function refusalOf(socket: TLSSocket): string {
  const shown = socket.getPeerX509Certificate();
  if (shown === undefined) return "no certificate was shown";
  const subject = shown.subject.replace(/\n/g, ", ").slice(0, SUBJECT_MAX);
  return `the certificate of ${subject} is refused: ${socket.authorizationError}`;
}

/** Address and port of the other side; "gone" after it has reset the connection. */
function remoteOf({ remoteAddress, remotePort }: Socket): string {
  return remoteAddress === undefined ? "gone" : `${remoteAddress}:${remotePort}`;
}
