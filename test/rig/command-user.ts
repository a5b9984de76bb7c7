// The audit log's name for the user of a command:
// these tests run as any user.

/** `local:root(0)`, `local:mate(1000)`. */
export const BY_COMMAND = /^local:[\w.-]+\(\d+\)/;
