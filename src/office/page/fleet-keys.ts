// Keys of the fleet page only. Those of the frame are in parts/key-table.ts, which is part of the
// first script aboard.

export const FLEET_KEYS = { key_search: ["/"], key_all: ["a"] } as const;
