// The tables of docs/modbus.md: every register, and the numbers of an alert's state. They are made
// of the table by which the server answers.

import { REGISTERS, STATE_NUMBERS } from "../../src/scada/modbus-registers.ts";
import { code, markdownTable } from "./markdown-table.ts";

/** As alarm systems count from 1: holding registers from 40001, input registers from 30001. */
const HOLDING_FIRST = 40_001;
const INPUT_FIRST = 30_001;

export function registerTable(): string {
  const rows = REGISTERS.map(({ address, name, about, unit, scale }) => [
    String(address),
    `${HOLDING_FIRST + address}, ${INPUT_FIRST + address}`,
    code(name),
    about,
    unit,
    String(scale),
  ]);
  return markdownTable(["address", "counted from 1", "name", "meaning", "unit", "times"], rows);
}

const MEANINGS: Readonly<Record<keyof typeof STATE_NUMBERS, string>> = {
  none: "none is open",
  unacknowledged: "it lasts, and nobody has acknowledged it",
  acknowledged: "it lasts, and somebody has",
  rectified: "it is over, and nobody has acknowledged it",
  shelved: "somebody has shelved it until a time",
};

export function stateTable(): string {
  const rows = Object.entries(STATE_NUMBERS).map(([name, number]) => [
    String(number),
    code(name),
    new Map(Object.entries(MEANINGS)).get(name) ?? "",
  ]);
  return markdownTable(["number", "state", "meaning"], rows);
}
