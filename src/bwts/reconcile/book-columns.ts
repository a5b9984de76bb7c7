// Names of columns in an officer's file, in English, French or Spanish and in any order, to what
// they hold. A name is taken apart into words, so that "Start date (UTC)", "date_start" and "Fecha
// de inicio" are one column.

export const BOOK_COLUMNS = [
  "code",
  "item",
  "operation",
  "date",
  "start",
  "start_date",
  "start_time",
  "end",
  "end_date",
  "end_time",
  "location",
  "volume",
  "tanks",
  "remarks",
] as const;
export type BookColumn = (typeof BOOK_COLUMNS)[number];

/** Diacritics and case aside. */
export function plainText(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(" "));

const START = set(
  "start starts started begin begins began commence commenced from debut inicio comienzo desde",
);
const END = set(
  "end ends ended stop stopped finish finished complete completed completion to until fin final " +
    "hasta termino",
);
const DATE = set("date dates fecha day jour dia");
const TIME = set("time times heure hora hour hours");

/** Columns that the comparison has no use for, and whose words would be taken for another. */
const UNUSED = set(
  "id version part parts mark draft subject notes signature signed firma officer officier " +
    "oficial depth profondeur profundidad retained remaining rob conservee retenida conserve " +
    "retenido total plan method methode metodo treatment traitement tratamiento",
);

/** In this order: the first whose word stands in the name. */
const WORDS: readonly (readonly [BookColumn, ReadonlySet<string>])[] = [
  ["tanks", set("tank tanks citerne citernes tanque tanques")],
  ["volume", set("volume volumen vol quantity qty quantite cantidad m3 cbm")],
  ["location", set("location place port position lieu lugar puerto posicion")],
  ["code", set("code codigo letter lettre letra")],
  ["item", set("item items rubrique numero punto")],
];

const REST: readonly (readonly [BookColumn, ReadonlySet<string>])[] = [
  ["operation", set("operation type tipo operacion")],
  [
    "remarks",
    set("remark remarks remarques observaciones text texto texte record reason circumstances"),
  ],
];

/** The column of a header's cell; null for one that isn't needed, or isn't known. */
export function bookColumnOf(name: string): BookColumn | null {
  const words = plainText(name).match(/[a-z]+[0-9]?/g) ?? [];
  const has = (known: ReadonlySet<string>) => words.some((word) => known.has(word));
  if (has(UNUSED) || words.length === 0 || words.length > 8) return null;
  const held = WORDS.find(([, known]) => has(known))?.[0];
  // The place of the completion is the place of the entry only where no other is told.
  if (held === "location" && has(END)) return null;
  if (held !== undefined) return held;
  const [isDate, isTime] = [has(DATE), has(TIME)];
  const side = has(START) ? "start" : has(END) ? "end" : null;
  if (side !== null) {
    if (isDate === isTime) return side;
    return isDate ? `${side}_date` : `${side}_time`;
  }
  if (isDate) return "date";
  return REST.find(([, known]) => has(known))?.[0] ?? null;
}

/** The place of each column in the header; a column that is named twice counts once. */
export function placesIn(header: readonly string[]): ReadonlyMap<BookColumn, number> {
  const places = new Map<BookColumn, number>();
  for (const [index, name] of header.entries()) {
    const column = bookColumnOf(name);
    if (column !== null && !places.has(column)) places.set(column, index);
  }
  return places;
}

/** True if entries can be read by these columns: a letter, and when it began. */
export function isBookHeader(places: ReadonlyMap<BookColumn, number>): boolean {
  const [hasCode, hasStart] = [
    ["code", "item", "operation"] as const,
    ["start", "start_date", "date"] as const,
  ].map((some) => some.some((column) => places.has(column)));
  return hasCode && hasStart;
}
