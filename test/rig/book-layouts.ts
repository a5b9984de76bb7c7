// Layouts of officers' files. Each is filled with the entry of one operation, an uptake of 300 m3
// at TESTPORT on 1 October 2026 from 06:00 to 06:30 UTC, with one fact of it wrong, or one that
// can't be understood.

/** Facts of the entry as the layout writes them. */
export interface WrittenFacts {
  readonly code: string;
  readonly start: string;
  readonly end: string;
  readonly place: string;
  readonly volume: string;
}

export interface BookLayout {
  readonly name: string;
  readonly right: WrittenFacts;
  /** The file's text, or its bytes. */
  readonly book: (facts: WrittenFacts) => string | Uint8Array;
  /** Facts beside the right ones that are wrong in this layout. */
  readonly wrong?: Partial<WrittenFacts>;
  /** Facts that this layout can't be understood with. */
  readonly unreadable?: Partial<WrittenFacts>;
  /** Minutes ahead of UTC that the officer says with the file. */
  readonly zone_minutes?: number;
}

const PLAIN: WrittenFacts = {
  ...{ code: "A", start: "2026-10-01 06:00", end: "2026-10-01 06:30" },
  ...{ place: "TESTPORT", volume: "300" },
};

/** A layout of one header and one line, by a separator. */
function table(
  name: string,
  header: string,
  given: Partial<BookLayout> & {
    readonly facts?: Partial<WrittenFacts>;
    readonly line?: (facts: WrittenFacts) => readonly string[];
    readonly more?: readonly string[];
    readonly separator?: string;
  } = {},
): BookLayout {
  const { facts = {}, line, more = [], separator = ",", ...rest } = given;
  const cells =
    line ?? (({ code, start, end, place, volume }) => [code, start, end, place, volume]);
  return {
    ...{ name, right: { ...PLAIN, ...facts } },
    book: (one) => `${[header, cells(one).join(separator), ...more].join("\n")}\n`,
    ...rest,
  };
}

/** The date in a column of its own, the times behind it. */
const dated =
  (date: string) =>
  ({ code, start, end, place, volume }: WrittenFacts) => [date, code, start, end, place, volume];

const CLOCKS = { start: "0600", end: "0630" };
const CLOCK_WRONG = { start: "0500" };
const CLOCK_ODD = { start: "0660" };

export const BOOK_LAYOUTS: readonly BookLayout[] = [
  table("commas", "code,start,end,place,volume"),
  table("semicolons, in Spanish", "Código;Inicio;Fin;Lugar;Volumen (m3)", {
    ...{ separator: ";", facts: { volume: "300,0", start: "01/10/2026 06:00" } },
    ...{ wrong: { volume: "30,0" }, unreadable: { volume: "3OO,0" } },
    more: ["H;31/10/2026 07:00;;TESTPORT;"],
  }),
  table("tabs, in French", "Lettre\tDébut\tFin\tLieu\tQuantité", {
    ...{ separator: "\t", facts: { start: "1er octobre 2026 6h00", end: "1 oct. 2026 06 h 30" } },
    unreadable: { start: "premier octobre" },
  }),
  table("bars", "code|start|end|place|volume", { separator: "|" }),
  table("bars at both ends", "| Code | Start | End | Port | Qty |", {
    line: ({ code, start, end, place, volume }) => ["", code, start, end, place, volume, ""],
    ...{ separator: "|", more: ["|---|---|---|---|---|"] },
  }),
  table("long names", "Type of operation,Commenced (UTC),Completed (UTC),Port / Position,Amount", {
    facts: { code: "Ballasting" },
    ...{ wrong: { code: "De ballasting" }, unreadable: { code: "Ballast" } },
  }),
  table("the total volume", "code,start,end,place,Total volume (m3)", {
    wrong: { volume: "9000" },
  }),
  table("rates and initial volumes beside it", "code,start,end,place,Initial volume (m3),V", {
    book: ({ code, start, end, place, volume }) =>
      "code,start,end,place,Initial volume (m3),Pump rate (m3/h),Volume taken (m3),ROB (m3)\n" +
      `${code},${start},${end},${place},300,600,${volume},600\n`,
  }),
  table("two lines of names", "", {
    facts: { start: "01-Oct-2026,0600", end: "01-Oct-2026,0630" },
    book: ({ code, start, end, place, volume }) =>
      "Operation,Start,,Completion,,Location,Volume\n,Date,Time,Date,Time,,(m3)\n" +
      `${code},${start},${end},${place},${volume}\n`,
    ...{ wrong: { end: "01-Oct-2026,0730" }, unreadable: { end: "01-Oct-2026,late" } },
  }),
  table("units below the names", "", {
    book: ({ code, start, end, place, volume }) =>
      "Code,Start,End,Place,Volume\n,UTC,UTC,,m3\n" +
      `${code},${start},${end},${place},${volume}\n`,
  }),
  table("litres in the name", "code,start,end,place,Volume (litres)", {
    facts: { volume: "300000" },
    ...{ wrong: { volume: "300" }, unreadable: { volume: "300000 gal" } },
  }),
  table("units in the cells", "code,start,end,place,volume", {
    facts: { volume: "300 m³" },
    ...{ wrong: { volume: "300 litres" }, unreadable: { volume: "300 t" } },
  }),
  table("a column of units", "code,start,end,place,volume,unit", {
    line: ({ code, start, end, place, volume }) => [code, start, end, place, ...volume.split(" ")],
    facts: { volume: "300 cbm" },
    ...{ wrong: { volume: "300 l" }, unreadable: { volume: "300 MT" } },
  }),
  table("date and times apart", "Date,Code,Start time,End time,Port,Vol", {
    ...{ line: dated("2026-10-01"), facts: CLOCKS, wrong: CLOCK_WRONG, unreadable: CLOCK_ODD },
  }),
  table("0600 hrs", "code,start,end,place,volume", {
    facts: { start: "01-OCT-2026 0600 hrs", end: "01-OCT-2026 0630 hrs" },
    wrong: { start: "01-OCT-2026 0500 hrs" },
    unreadable: { start: "01-OCT-2026 six o'clock" },
  }),
  table("06.00", "Date,Code,From,To,Port,Vol", {
    ...{ line: dated("01.10.2026"), facts: { start: "06.00", end: "06.30" } },
    more: ["31.10.2026,H,07.00,,TESTPORT,"],
    ...{ wrong: { start: "05.00" }, unreadable: { start: "0.25" } },
  }),
  table("AM and PM", "code,start,end,place,volume", {
    facts: { start: "Oct 1 2026 6:00 AM", end: "Oct 1 2026 6:30 a.m." },
    ...{ wrong: { end: "Oct 1 2026 6:30 PM" }, unreadable: { end: "Oct 1 2026 16:30 PM" } },
  }),
  table("month first, which another date tells", "code,start,end,place,volume", {
    facts: { start: "10/01/2026 06:00", end: "10/01/2026 06:30" },
    more: ["H,10/31/2026 07:00,,TESTPORT,"],
    ...{ wrong: { start: "01/10/2026 06:00" }, unreadable: { start: "13/13/2026 06:00" } },
  }),
  table("day first by its name", "Code,Start (DD/MM/YYYY HH:MM),End,Place,Volume", {
    facts: { start: "01/10/2026 06:00", end: "01/10/2026 06:30" },
    ...{ wrong: { start: "10/01/2026 06:00" }, unreadable: { start: "1/10 06:00" } },
  }),
  table("1500 LT of a zone that is said", "code,start,end,place,volume", {
    facts: { start: "01-Oct-2026 1500 LT", end: "01-Oct-2026 1530 LT" },
    ...{ zone_minutes: 540, wrong: { start: "01-Oct-2026 0600 LT" } },
    unreadable: { start: "01-Oct-2026 1500 IST" },
  }),
  table("UTC+9 in the names", "code,start (UTC+9),end (UTC+9),place,volume", {
    facts: { start: "2026-10-01 15:00", end: "2026-10-01 15:30" },
    ...{ wrong: { start: "2026-10-01 06:00" }, unreadable: { start: "2026-10-01 1500-1530" } },
  }),
  table("a column of zones", "code,start,end,zone,place,volume", {
    line: ({ code, start, end, place, volume }) => [code, start, end, "GMT+0900", place, volume],
    facts: { start: "2026-10-01 15:00", end: "2026-10-01 15:30" },
    wrong: { start: "2026-10-01 06:00" },
  }),
  table("the zone in a title", "", {
    facts: { start: "2026-10-01 15:00", end: "2026-10-01 15:30" },
    book: ({ code, start, end, place, volume }) =>
      "M/V EXAMPLE,IMO 1234567\nAll times are ship's time (UTC+9)\n\n" +
      `code,start,end,place,volume\n${code},${start},${end},${place},${volume}\n`,
    wrong: { start: "2026-10-01 06:00" },
  }),
  table("UTC in the names, whatever is said", "code,start (UTC),end (UTC),place,volume", {
    zone_minutes: 540,
  }),
  formLayout("the form's lines, with items", "Date,Code,Item,Record of operations,Signature", [
    ({ code, start }) => ["01-OCT-2026", code, "1", start, ""],
    ({ end }) => ["", "", "2", end, ""],
    () => ["", "", "3", "1P 1S", ""],
    ({ volume }) => ["", "", "4", `${volume} / 1200 m3`, ""],
    () => ["", "", "5", "Yes", ""],
    () => ["", "", "6", "UV", "C/O"],
  ]),
  formLayout("the form's lines, date and code on each", "Date,Code (letter),Item (number),Record", [
    ({ code, start }) => ["01-OCT-2026", code, "1", start],
    ({ code, end }) => ["01-OCT-2026", code, "2", end],
    ({ code, volume }) => ["01-OCT-2026", code, "4", volume],
  ]),
  formLayout("the form's lines, the item with its letter", "Date;Item;Entry", [
    ({ code, start }) => ["01/10/2026", `${code}.1`, `Start: ${start}`],
    ({ code, end }) => ["01/10/2026", `${code}.2`, `Completion ${end}; depth 12 m`],
    ({ code, volume }) => ["01/10/2026", `${code}.4`, `Uptake ${volume}, retained 1200 m3`],
    () => ["31/10/2026", "H.1", "Crew training"],
  ]),
  table("totals, signatures, repeated names", "", {
    book: ({ code, start, end, place, volume }) => {
      const header = "code,start,end,place,volume";
      const line = `${code},${start},${end},${place},${volume}`;
      const rest = ["TOTAL,,,,300", ",,,,", "Signature of master:,,,,", "Page 2,,,,"];
      return [header, line, ...rest, header, ",,,,", "-,-,-,-,-", "Sub-total,,,,300"].join("\n");
    },
  }),
  table("thousands, which another volume tells", "code,start,end,place,volume", {
    ...{ facts: { volume: '"0,300.0"' }, wrong: { volume: '"3,000.0"' } },
    unreadable: { volume: '"3,00,0"' },
  }),
  table("a byte order mark and Windows line ends", "", {
    book: ({ code, start, end, place, volume }) =>
      Uint8Array.from(
        Buffer.from(
          "\ufeffsep=;\r\ncode;start;end;place;volume\r\n" +
            `${code};${start};${end};${place};${volume}\r\n`,
        ),
      ),
  }),
  table("Latin-1", "", {
    book: ({ code, start, end, place, volume }) =>
      Uint8Array.from(
        Buffer.from(
          `Código;Inicio;Término;Ubicación;Volumen\r\n${code};${start};${end};${place};${volume}`,
          "latin1",
        ),
      ),
  }),
  table(
    "columns of uptake and of discharge",
    "date,start time,end time,place,uptake m3,discharge m3",
    {
      book: ({ code, start, end, place, volume }) =>
        "date,operation,start time,end time,place,Volume of uptake,Volume of discharge (m3)\n" +
        `2026-10-01,${/^[AB]$/.test(code) ? "" : code},${start},${end},${place},` +
        `${code === "A" ? `${volume},` : `,${volume}`}\n`,
      ...{ facts: CLOCKS, wrong: { code: "B" }, unreadable: CLOCK_ODD },
    },
  ),
  table("spans of time", "Date,Code,Time (from - to),Place,Volume", {
    line: ({ code, start, end, place, volume }) => [
      ...["2026-10-01", code, `${start}-${end}`, place, volume],
    ],
    ...{ facts: CLOCKS, wrong: CLOCK_WRONG, unreadable: CLOCK_ODD },
  }),
];

type FormLine = (facts: WrittenFacts) => readonly string[];

/** A layout of a line for each item; start and end have the place in their text. */
function formLayout(name: string, header: string, lines: readonly FormLine[]): BookLayout {
  const separator = header.includes(";") ? ";" : ",";
  return {
    name,
    right: { ...PLAIN, start: "0600 hrs", end: "0630 hrs", volume: "300 m3" },
    book: (facts) => {
      const { start, end, place } = facts;
      const timed = { ...facts, start: `${start}, ${place}`, end: `${end}, ${place}` };
      const cells = lines.map((line) =>
        line(timed)
          .map((cell) => `"${cell}"`)
          .join(separator),
      );
      return `${[header, ...cells].join("\n")}\n`;
    },
    wrong: { start: "0500 hrs" },
    unreadable: { start: "six o'clock" },
  };
}
