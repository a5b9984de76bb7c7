// The example of the inspection sheet in the API's document: a
// ship with one bypass in a year.

const at = "2026-11-22T02:40:00.000Z";

const line = (
  id: number,
  operation_type: string,
  location: string,
  [start, end]: readonly [string, string],
  volume_m3: number,
) => ({
  ...{ id, operation_type, location, start, end, volume_m3, volume_source: "totaliser" },
  ...{ uv_min_w_m2: 512.4, uv_limit_w_m2: 252, mode: "IMO", verdict: "within_limits" },
  ...{ verdict_with_hidden: null, version: 1, remarks: [] },
  not_recorded: { seconds: 0, of_seconds: 14_400 },
  given_out: null,
});

const times = ["2026-11-20T06:00:00.000Z", "2026-11-20T14:00:00.000Z"] as const;
const later = ["2026-11-21T22:10:00.000Z", "2026-11-22T02:30:00.000Z"] as const;
const uptake = line(45, "BALLAST", "Singapore", times, 5010);
const discharge = line(46, "DEBALLAST", "Busan", later, 4980);

export const INSPECTION_EXAMPLE = {
  ...{ made: at, ship_time: "2026-11-22 11:40:00 ship's time UTC+09:00" },
  ...{ version: "0.2.0", simulated: false },
  ship: {
    ...{ vessel: "MV Example", imo: "9074729", system_id: "BWTS-001", system_type: null },
    ...{ serial: "A-1207", certificate: "TA-0815", capacity_m3_h: 1000 },
  },
  limits: [{ key: "limits.uv_imo", about: "UV, IMO, at least", value: 252, unit: "W/m2" }],
  limits_source: "type approval certificate",
  period: { start: "2025-11-22T02:40:00.000Z", end: at, data_from: "2025-11-22T02:40:00.000Z" },
  counts: {
    ...{
      operations: 46,
      within_limits: 45,
      outside_limits: 1,
      cannot_tell: 0,
      running: 0,
      waiting: 0,
      unreadable: 0,
    },
    ...{ cleanings: 2, bypassed: 1, bypass_seconds: 720, bypass_m3: 190, superseded: 0 },
  },
  system: {
    state: "STOPPED",
    reading: "2026-11-22T02:38:00.000Z",
    present: true,
    malfunctions: [],
    end_not_reported: [],
  },
  summary: ["46 operations in 12 months: 45 within limits, 1 outside, 0 cannot tell."],
  data_exceptions: [],
  exceptions: [
    {
      ...{ operation_id: 40, given_out: null, operation_type: "DEBALLAST", location: "Kobe" },
      ...{ verdict: "outside_limits", what: "bypassed for 12 min" },
      ...{ start: "2026-11-03T03:10:00.000Z", end: "2026-11-03T03:22:00.000Z", volume_m3: 190 },
      ...{ evidence: "12 readings, ledger: verdict 40" },
      record_book: "B, item 6 None, for the bypass; F if it failed",
    },
  ],
  exceptions_left_out: 0,
  operations: [discharge, uptake],
  trace: {
    ...{ uptake, discharge, difference_percent: -0.6, alerts: [] },
    basis: "pairing by volume, tanks unknown",
  },
  questions: [{ question: "System operational?", answer: "no open malfunction" }],
  upkeep: {
    ...{
      hours_since_cip: 112,
      cip_hours: 720,
      lamps_failed: [],
      lamps_unknown: [],
      calibrated: null,
    },
    sentence: "Cleaned in place (CIP): 112 h ago, due after 720 h; lamps failed: none.",
  },
  trust: {
    clock: { problem: null, steps: 1, last_step: "2026-03-29T01:00:00.000Z" },
    ...{ gap_seconds: 7800, operation_seconds: 2_923_200, voids: [], replaced: [] },
    verified: {
      at: "2026-11-22T01:07:40.000Z",
      result: "506 of 506 segments checked, 0 problems known",
    },
    head: {
      ...{ origin: "ballastd/BWTS-001/7f3a9c21d0e4b5a6", size: 1234 },
      root: "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=",
      ...{ signed: at, reason: "print" },
      checkpoint: "ballastd/BWTS-001/7f3a9c21d0e4b5a6\n1234\nCsUY...\n\n\u2014 ...\n",
      fingerprint: "SHA256:ZNnvPbhZ4WcOYkfBcDVxDPBDtC1GZbNs1nIvGbSPBKE",
      verifier_key: "ballastd/BWTS-001/7f3a9c21d0e4b5a6+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id",
      qr: ["1111111", "1000001"],
    },
    given_out: {
      ...{ count: 1, compared: 1, in_tree: 1, last_print: "2026-08-03T04:00:00.000Z" },
      newest: [{ reason: "print", at: "2026-08-03T04:00:00.000Z", size: 901, in_tree: true }],
    },
    sentences: ["Clock: trusted; set 1 time in 12 months, last 29 Mar 2026."],
  },
  notice: "Advisory: the treatment system's own alarms and its type approval certificate govern.",
};
