// The text that marks limits as defaults which nobody has replaced yet. It is apart from the
// schema, which threads that only read the database don't load.

export const DEFAULT_LIMITS_SOURCE = "default, replace by the type approval certificate";
