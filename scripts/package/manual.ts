// The manual page ballastd(1), made of what the commands print of themselves, so that a terminal
// aboard and the manual never tell two things.

import { EXIT } from "../../src/ground/errors.ts";
import type { Facts } from "./facts.ts";

const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: "Done.",
  failed: "Failed; what and why is on the standard error.",
  usage: "The command line isn't understood.",
  unavailable: "A port or a broker can't be had.",
  cannot_create: "A file or folder can't be made.",
  io: "The disk can't be read or written.",
  temporary: "Another instance uses the data folder.",
  permission: "Permission is missing.",
  config: "The configuration is refused; the line names the key.",
};

/** The page as roff. */
export function manual({ version, built_ms, help, commands }: Facts): string {
  const date = new Date(built_ms).toISOString().slice(0, 10);
  const list = help.split("\n").filter((line) => line.startsWith("  "));
  return [
    `.TH BALLASTD 1 ${date} "ballastd ${version}" "User Commands"`,
    ".SH NAME",
    "ballastd \\- monitor of UV ballast water treatment",
    ".SH SYNOPSIS",
    ".B ballastd",
    "\\fIcommand\\fR [\\fIoptions\\fR]",
    ".SH DESCRIPTION",
    "One program on an industrial PC in a ship's engine room: it takes the treatment PLC's",
    "messages over MQTT, keeps them in SQLite, scores the plant's health, and",
    "answers the crew over the",
    "ship's LAN. It only listens, and needs no internet.",
    ".PP",
    ...literal(list),
    ...commands.flatMap(({ name, help: text }) => [
      `.SH ${name.toUpperCase()}`,
      ...literal(text.trimEnd().split("\n")),
    ]),
    ".SH EXIT STATUS",
    ...Object.entries(EXIT_MEANINGS).flatMap(([name, meaning]) => [
      ".TP",
      `.B ${codeOf(name)}`,
      escaped(meaning),
    ]),
    ".SH FILES",
    ".TP",
    ".I /etc/ballastd/ballastd.toml",
    "The configuration, with every key explained.",
    ".TP",
    ".I /etc/ballastd/NAME.toml",
    "That of ballastd@NAME.service, a second system aboard.",
    ".TP",
    ".IR /var/lib/ballastd ,\\~ /var/lib/ballastd\\-NAME",
    "The data: readings, events, the audit log, the first token.",
    ".TP",
    ".I /usr/share/doc/ballastd",
    "The manual's pages, as they are at /manual of ballastd's own page; the parts inside it and",
    "their licences.",
    ".SH SEE ALSO",
    ".BR systemctl (1),",
    ".BR journalctl (1)",
    "",
  ].join("\n");
}

function codeOf(name: string): number | undefined {
  return Object.entries(EXIT).find(([known]) => known === name)?.[1];
}

function literal(lines: readonly string[]): readonly string[] {
  return [".nf", ...lines.map(escaped), ".fi"];
}

/** A line of text that roff prints as it is. */
function escaped(line: string): string {
  const text = line.replaceAll("\\", "\\e").replaceAll("-", "\\-").replaceAll("'", "\\(aq");
  return /^[.]/.test(text) ? `\\&${text}` : text;
}
