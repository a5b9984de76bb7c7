// The keys of the fleet page alone; those of the frame are in parts/key-table.ts, whose table comes
// with the first script aboard.

export const FLEET_KEYS = { key_search: ["/"], key_all: ["a"] } as const;
