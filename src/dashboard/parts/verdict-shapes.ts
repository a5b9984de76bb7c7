// The shapes of an operation's verdicts: a tick, a cross, a question mark. An arrow around stands
// for bypassed, a triangle for running, a dash for not judged.

export const SIGNS = {
  within_limits: "M4 13l5 5L20 6",
  outside_limits: "M5 5l14 14M19 5L5 19",
  cannot_tell: "M7 8a5 5 0 1 1 6.5 4.8Q12 13.4 12 16M12 20.5v.1",
  bypassed: "M4 16q8 -16 16 0M15 15l5 1v-5",
  running: "M6 4l13 8l-13 8z",
  unjudged: "M4 12h16",
} as const;

export type SignWord = keyof typeof SIGNS;
