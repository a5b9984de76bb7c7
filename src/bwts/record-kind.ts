// The kinds of records that can be had as files beside the readings: the command and the routes
// both follow from this list.

export const RECORD_KINDS = ["events", "health", "predictions", "alarms", "gaps"] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];
