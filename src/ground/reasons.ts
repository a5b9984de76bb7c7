// Reasons of refusals: a code that stays the same, and the values that it names, beside the message
// in English. A page has a sentence for each code in the reader's language. Values are what the
// message shows: a secret is never one.

import * as z from "zod";
import { bounded } from "./quoted.ts";

/** Names of the values of each code. `setting` is a key of the configuration. */
export const REFUSAL_REASONS = {
  // A value of a setting.
  number_outside: ["setting", "given", "low", "high"],
  integer_outside: ["setting", "given", "low", "high"],
  number_unclear: ["setting", "given"],
  line_unfit: ["setting", "max"],
  id_unfit: ["setting"],
  prefix_unfit: ["setting"],
  zone_unfit: ["setting", "given"],
  imo_unfit: ["given"],
  imo_digit: ["given", "digit"],
  password_unfit: ["min", "max"],
  // An address to listen on.
  address_unfit: ["setting", "given"],
  address_missing: ["setting"],
  address_odd: ["setting", "address"],
  address_taken: ["setting", "address"],
  address_forbidden: ["setting", "address"],
  address_absent: ["setting", "address"],
  address_shared: ["setting", "address", "other"],
  login_missing: ["address"],
  login_half: [],
  // A folder for backups.
  folder_unfit: ["given"],
  folder_fleeting: ["given"],
  folder_absent: ["given"],
  folder_long: ["given"],
  folder_closed: ["given", "error"],
  // Limits that contradict each other.
  limit_order: ["setting", "given", "other", "limit"],
  target_low: ["given", "uv_imo", "uv_uscg"],
  flow_high: ["setting", "given", "capacity"],
  // The configuration's file.
  setting_changed: ["setting", "now"],
  setting_fixed: ["setting", "variable"],
  file_none: [],
  file_broken: [],
  file_closed: ["file"],
  file_unwritten: ["file", "error"],
  file_busy: [],
  change_waiting: [],
  // A rule of the map.
  rule_similar: ["field", "similar"],
  rule_own_field: ["field"],
  rule_lamps: ["field"],
  rule_no_number: ["field"],
  rule_values: ["field", "type"],
  rule_twice: ["field", "tag"],
  rule_absent: ["rule"],
  rules_unfit: [],
  plc_elsewhere: [],
  // A text, a time or a number that somebody wrote.
  text_long: ["max"],
  text_signs: [],
  text_missing: [],
  name_missing: [],
  time_unfit: ["given"],
  time_early: ["given", "earliest"],
  time_late: ["given", "latest"],
  time_ahead: ["given", "hours"],
  end_early: [],
  number_small: ["min"],
  number_large: ["max"],
  count_changed: ["now"],
  // A thing that is no longer as it was.
  alert_absent: [],
  alert_closed: [],
  entry_absent: ["id"],
  entry_corrected: ["id"],
  entry_stored: [],
  task_running: [],
  set_up_before: [],
  // The token, and who sends.
  token_name_unfit: [],
  token_name_secret: [],
  token_name_kept: [],
  token_name_taken: ["name"],
  tokens_many: ["max"],
  token_missing: [],
  token_wrong: [],
  attempts_many: ["seconds"],
  role_small: ["name", "role", "needed"],
  computer_other: ["address"],
} as const;

export type RefusalCode = keyof typeof REFUSAL_REASONS;

type RefusalValues<Code extends RefusalCode> = Readonly<
  Record<(typeof REFUSAL_REASONS)[Code][number], string | number>
>;

const CODES = Object.keys(REFUSAL_REASONS).filter(isRefusalCode);

/** A reason in an answer. */
export const RefusalReasonShape = z
  .object({
    code: z.enum(CODES),
    values: z.record(z.string(), z.union([z.string(), z.number()])).readonly(),
  })
  .meta({
    id: "RefusalReason",
    example: { code: "imo_digit", values: { given: "9074720", digit: 9 } },
  });
export type RefusalReason = Readonly<z.output<typeof RefusalReasonShape>>;

/** Maximum length of a value: a path, or an address. */
const VALUE_MAX = 200;

/** The reason of this code; the compiler asks for its values. */
export function reason<Code extends RefusalCode>(
  code: Code,
  values: RefusalValues<Code>,
): RefusalReason {
  return reasonAmong(code, values);
}

/** The reason of this code, with those of the values that it names. */
function reasonAmong(code: RefusalCode, values: RefusalReason["values"]): RefusalReason {
  const named = REFUSAL_REASONS[code].flatMap((name) => {
    const value = values[name];
    return value === undefined ? [] : [[name, typeof value === "string" ? shown(value) : value]];
  });
  return { code, values: Object.fromEntries(named) };
}

const shown = (value: string) => bounded(value, VALUE_MAX);

/** The reason that a check in a schema states: what it names beside the given value. */
export interface StatedReason {
  readonly code: RefusalCode;
  readonly values: RefusalReason["values"];
}

/** Options of a check in the schema of a body: its message, and the code of its reason. */
export const expectedFor = (code: RefusalCode, error: string) => {
  const reason: StatedReason = { code, values: {} };
  return { error, params: { reason } };
};

/** The reason that the failed check states, with `more` of the given value; none without one. */
export function statedReasons(
  issue: z.core.$ZodIssue,
  more: RefusalReason["values"],
): readonly RefusalReason[] {
  const stated: unknown = issue.code === "custom" ? issue.params?.reason : null;
  if (!isStated(stated)) return [];
  return [reasonAmong(stated.code, { ...more, ...stated.values })];
}

const isStated = (given: unknown): given is StatedReason =>
  given !== null && typeof given === "object" && "code" in given && isRefusalCode(given.code);

function isRefusalCode(given: unknown): given is RefusalCode {
  return typeof given === "string" && Object.hasOwn(REFUSAL_REASONS, given);
}
