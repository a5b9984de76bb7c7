// The source of limits that nobody has given yet, apart from the schema, which threads that only
// read the database don't load.

export const DEFAULT_LIMITS_SOURCE = "default, replace by the type approval certificate";
