// The one limit of every wait in tests and rigs. A wait ends when what it waits for is there; this
// is only for what never comes. It is no measure of the program, which may run on a machine that
// is slow or has other work.

/** A test and a hook may take twice as long (vitest.config.ts), so that the wait itself fails. */
export const PATIENCE_MS = 10 * 60_000;

/** The same for vitest's `expect.poll` and Playwright's methods. */
export const PATIENT = { timeout: PATIENCE_MS } as const;

/** And for MQTT.js. */
export const PATIENT_CLIENT = { connectTimeout: PATIENCE_MS, keepalive: PATIENCE_MS / 1000 };
