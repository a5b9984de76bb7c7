// The interval at which the page requests its numbers, ms: they change slowly, and the live
// connection has no news of them.

export const EVERY_MS = 15_000;
