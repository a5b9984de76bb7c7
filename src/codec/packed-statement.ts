// A verdict's statement as it is sent ashore: deflated with a dictionary of the usual texts of
// statements, a third of the size without one. THE DICTIONARY NEVER CHANGES: a statement packed
// with it can't be read with another. Another dictionary means another member of the document.

import { deflateRawSync, inflateRawSync } from "node:zlib";

/** Packs a statement: raw deflate (RFC 1951) with the dictionary, in base64. */
export function packStatement(content: string): string {
  return deflateRawSync(content, { level: 9, dictionary }).toString("base64");
}

/** Maximum length of an unpacked statement; real ones have a few kB. */
const CONTENT_MAX = { maxOutputLength: 16 * 1024 * 1024 };

/** The statement; null if the text isn't a packed one. */
export function unpackStatement(base64: string): string | null {
  try {
    return inflateRawSync(Buffer.from(base64, "base64"), { ...CONTENT_MAX, dictionary }).toString();
  } catch {
    return null;
  }
}

const dictionary = Buffer.from(
  [
    `no_start no_stop never_ended overlaps crosses_month clock_stepped clock_untrusted volume_d`,
    `iffers totaliser_reset readings_hidden readings_expired withdrawn challenging_water failin`,
    `g_equipment lamp_out filter_dp_high cabinet_hot cip_due "rule":"flow_above_certified",`,
    `"verdict":"outside_limits","start":" "rule":"bypass","verdict":"outside_limits",`,
    `"start":" "rule":"fault","verdict":"outside_limits","start":" "rule":"hidden_readings",`,
    `"verdict":"cannot_tell","start":" "rule":"no_intensity","verdict":"cannot_tell",`,
    `"start":" "rule":"no_mode","verdict":"cannot_tell","start":" "rule":"not_treating",`,
    `"verdict":"cannot_tell",`,
    `"start":" "limits.uv_uscg" "limits.flow_max_uscg" "limit_key":"limits.flow_max_imo" "param`,
    `eter":"SYS_FLOW_RATE",`,
    `"unit":"m3/h","limit": "parameter":"PROCESS_STATE","unit":null,`,
    `"limit":null "operation_type":"DEBALLAST" "CIP" "BYPASS" "because":" readings came late" "`,
    `volume_source":"flow" "known_by":"readings" "is_hidden":true{"because":"the operation ende`,
    `d",`,
    `"format":"ballastd verdict 1","made":"2026-05-01T06:00:06.120Z","operation":{"id":12,`,
    `"operation_type":"BALLAST","location":"Busan","start":"2026-05-01T04:00:00.000Z",`,
    `"end":"2026-05-01T06:00:00.000Z","known_by":"events","remarks":[],`,
    `"verdict":"outside_limits","verdict_with_hidden":null,"reasons":[{"rule":"no_readings",`,
    `"verdict":"cannot_tell","start":"2026-05-01T04:30:00.000Z",`,
    `"end":"2026-05-01T04:38:00.000Z","seconds":480,"readings":0,"parameter":null,"unit":null,`,
    `"limit":null,"limit_key":null,"worst":null,"worst_at":null,"volume_m3":null,`,
    `"is_hidden":false},{"rule":"uv_below_limit","verdict":"outside_limits",`,
    `"start":"2026-05-01T04:30:00.000Z","end":"2026-05-01T04:38:00.000Z","seconds":480,`,
    `"readings":8,"parameter":"UVR_INTENSITY","unit":"W/m2","limit":252,`,
    `"limit_key":"limits.uv_imo","worst":231.5,"worst_at":"2026-05-01T04:33:00.000Z",`,
    `"volume_m3":80,"is_hidden":false}],"indications":[{"indication":"lamp_out",`,
    `"start":"2026-05-01T04:30:00.000Z","end":"2026-05-01T04:38:00.000Z","evidence":{}}],`,
    `"parts":[{"part":"within_limits","start":"2026-05-01T04:00:00.000Z",`,
    `"end":"2026-05-01T04:30:00.000Z","seconds":1800,"volume_m3":300},{"part":"outside_limits",`,
    `"start":"2026-05-01T04:30:00.000Z","end":"2026-05-01T04:38:00.000Z","seconds":480,`,
    `"volume_m3":80},{"part":"within_limits","start":"2026-05-01T04:38:00.000Z",`,
    `"end":"2026-05-01T06:00:00.000Z","seconds":4920,"volume_m3":820}],"volume_m3":1200,`,
    `"volume_source":"totaliser","volume_totaliser_m3":1200,"volume_flow_m3":1199.2,`,
    `"volume_difference_percent":-0.07,"mode":"IMO","limits":[{"key":"limits.uv_imo",`,
    `"value":252,"unit":"W/m2","seconds_beyond":480},{"key":"limits.flow_max_imo","value":1000,`,
    `"unit":"m3/h","seconds_beyond":0},{"key":"limits.dp_warn","value":0.5,"unit":"bar",`,
    `"seconds_beyond":null}],"limits_source":"type approval certificate 0815",`,
    `"rules_version":1,"readings":121,"readings_hidden":0,`,
    `"values":{"UVR_INTENSITY":{"unit":"W/m2","readings":121,"min":231.5,"mean":588.2,`,
    `"max":612},"SYS_FLOW_RATE":{"unit":"m3/h","readings":121,"min":585,"mean":600.1,`,
    `"max":612},"UVR_POWER_OUTPUT":{"unit":"%","readings":121,"min":78,"mean":82.4,"max":100},`,
    `"SYS_PRESSURE":{"unit":"bar","readings":121,"min":1.8,"mean":2,"max":2.1},`,
    `"UVR_WATER_TEMP":{"unit":"degC","readings":121,"min":18.2,"mean":18.9,"max":19.4},`,
    `"FLT_DIFF_PRESSURE":{"unit":"bar","readings":121,"min":0.21,"mean":0.24,"max":0.31},`,
    `"LDC_AIR_TEMP":{"unit":"degC","readings":121,"min":31,"mean":33.5,"max":35}},`,
    `"lamps_out":[{"lamp":7,"start":"2026-05-01T04:30:00.000Z",`,
    `"end":"2026-05-01T04:38:00.000Z","seconds":480}],"backflushes":1,"bypass_seconds":0,`,
    `"hours_since_cip":210.5,"alerts":[{"id":12,"code":"UV_LOW","source":"plc",`,
    `"raised":"2026-05-01T04:30:00.000Z"}],"gaps":[{"start":"2026-05-01T04:30:00.000Z",`,
    `"end":"2026-05-01T04:38:00.000Z","seconds":480}],"clock_steps":[],"voids":[],`,
    `"readings_root":"CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=","version":1},"version":1}`,
  ].join(""),
);
