// The units of the fields in the overview's tiles, as the catalogue has them (a test compares). The
// catalogue is larger than the tiles, so that the first script does without it.

export const OVERVIEW_UNITS = {
  UVR_INTENSITY: "W/m2",
  SYS_FLOW_RATE: "m3/h",
  FLT_DIFF_PRESSURE: "bar",
  UVR_POWER_OUTPUT: "% of rated",
  LDC_AIR_TEMP: "degC",
  UVR_WATER_TEMP: "degC",
} as const;

/** A field with a tape. */
export type MeasureName = Exclude<keyof typeof OVERVIEW_UNITS, "UVR_INTENSITY">;
