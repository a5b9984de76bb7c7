// The name of an actor of the audit log: a token by its name, a command by the user who typed it,
// ballastd by its own.

/** `chief` of `local:chief(1000)`. */
export const actorName = (actor: string) => /^local:(.*?)(?:\(\d+\))?$/.exec(actor)?.[1] ?? actor;
