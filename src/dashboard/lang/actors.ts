// The name of an actor of the audit log: a token by its name, a command by the user who typed it,
// ballastd by its own.

/** `chief` of `local:chief(1000)`; null for who typed no command. */
export const commandUser = (actor: string): string | null =>
  /^local:(.*?)(?:\(\d+\))?$/.exec(actor)?.[1] ?? null;

export const actorName = (actor: string) => commandUser(actor) ?? actor;
