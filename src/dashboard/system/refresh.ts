// The interval at which the page asks for its numbers: they change slowly, and no news of the live
// connection tells of them.

export const EVERY_MS = 15_000;
