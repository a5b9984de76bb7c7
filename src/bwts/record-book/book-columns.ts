// Finds what the columns of an officer's file hold, by their names in English, French or Spanish. A
// name is split into words, so that "Start date (UTC)", "date_start" and "Fecha de inicio" are one
// column. Of several volumes only the one that was moved counts.

import { namedUnit } from "./book-numbers.ts";
import { plainText, wordSet } from "./book-words.ts";

export const BOOK_COLUMNS = [
  "code",
  "item",
  "operation",
  "date",
  "time",
  "start",
  "start_date",
  "start_time",
  "end",
  "end_date",
  "end_time",
  "zone",
  "location",
  "end_location",
  "volume",
  "volume_in",
  "volume_out",
  "unit",
  "tanks",
  "text",
] as const;
export type BookColumn = (typeof BOOK_COLUMNS)[number];

/** A column by its name: null if its words aren't known, "other" if it isn't compared. */
export type NamedColumn = BookColumn | "other" | null;

const START = wordSet(
  "start starts started begin begins began commence commences commenced commencement from " +
    "debut inicio comienzo desde starting",
);
const END = wordSet(
  "end ends ended stop stops stopped finish finished complete completed completion to until " +
    "fin final hasta termino till finishing",
);
const DATE = wordSet("date dates fecha fechas day days jour dia ddmmyyyy yyyymmdd mmddyyyy");
const TIME = wordSet("time times heure heures hora horas hour hours hrs hhmm");
const BOTH = wordSet("datetime timestamp");

const VOLUME = wordSet(
  "volume volumes volumen vol quantity quantities qty quantite cantidad amount m3 cbm cum",
);
const IN = wordSet("uptake intake ballasted ballasting taken prise toma lastrado");
const OUT = wordSet("discharge discharged deballasted deballasting rejet descarga");

/** Words of a volume that is in a tank and wasn't moved. */
const STOCK = wordSet(
  "initial before retained remaining remain rob board final after capacity conservee " +
    "conserve retenida retenido restante restant bord bordo sounding soundings opening " +
    "closing previous balance residual left existing start beginning end tank tanks citerne " +
    "tanque inicial inicio debut fin max maximum exchanged design level cargo " +
    "fuel fresh fw cumulative accumulated running",
);
/** Words beside a volume that was moved: a name with any other word isn't understood. */
const MOVED = wordSet(
  "of the and in on at by for per to de del du des la le les en d eau agua total totale totals " +
    "moved treated processed pumped transferred transfer loaded handled ballast bw water bwts " +
    "operation operations estimated estime estimee estimado estimada measured actual real net " +
    "cubic cubique cubicos cubico metre metres meter meters metros metro m l lit litre litres " +
    "liter liters litro litros t mt ton tons tonne tonnes tonnage lastre deballast deslastre " +
    "out discharge uptake circulated circulation internal involved reported entered logged " +
    "item number overboard aboard sea received deslastrado trate traite traitee tratada " +
    "tratado movida mouvementee ballastee",
);
/** "In" as the direction of a volume, as in "Volume in", but not in "volume in m3". */
const MOVED_IN = /^in\b|\bin\b(?!\W*(?:m3|cbm|cu|cubic|l|lit|t|mt|ton|metres|number))/;
const MOVED_OUT = /\bout\b/;
const RATE =
  /\brates?\b|\bflow\b|debit|caudal|m3 ?(?:\/|per|p\.?) ?h|\bm3 ?hr?\b|\btph\b|cbm ?\/ ?h/;
const MULTIPLE = /\b(?:x ?)?10{2,}\b|\bx ?\d|10 ?\^|thousand|\bmille|\bmiles\b/;

/** Letters and signs that aren't understood, except the 4 of the form's item. */
const STRANGE = /%|[^\p{ASCII}\s]|\/ ?\d/u;

/** Words of columns that aren't compared, whose other words could be taken for another column. */
const OTHER = wordSet(
  "id version part parts mark draft subject notes note signature signatures signed firma " +
    "officer officers officier oficial depth profondeur profundidad plan bwmp method methode " +
    "metodo treatment traitement tratamiento retained remaining rob rank name nom nombre " +
    "master captain capitan capitaine pump pumps latitude longitude lat long lon sn " +
    "serial seq no nr page voyage voy vessel ship imo salinity temperature temp weather sea " +
    "state draught trim list next last previous load destination approved accordance " +
    "conducted conforme cumplimiento reason circumstances recorded initials checked verified " +
    "uv intensity sounding soundings capacity source numero number running total board " +
    "onboard gm",
);

/**
 * Words for lengths of time: reported, since they aren't compared, but may contradict the times.
 */
const LENGTH = wordSet("duration duree duracion elapsed");

const TANKS = wordSet("tank tanks citerne citernes tanque tanques tk tks wbt");
const PLACE = wordSet(
  "location locations place places port position lieu lugar puerto ubicacion harbour",
);
const CODE = wordSet("code codes codigo letter lettre letra");
const ITEM = wordSet("item items rubrique punto partida");
const KIND = wordSet(
  "operation operations type tipo operacion activity activite actividad kind op ops",
);
const TEXT = wordSet(
  "remark remarks remarques observaciones text texto texte record records entry entries " +
    "particulars details detail description descripcion comments comment asiento asientos " +
    "inscription registro",
);
const ZONE = /\btime ?zone\b|\bzone\b|\btz\b|\butc ?offset\b|\boffset\b|\bhuso\b|\bfuseau\b/;
const NUMBERED = /^(?:s ?\/? ?n|sr|no|nr|n|line|ln|#)\.?(?: ?no\.?)?$/;

const UNIT = wordSet("unit units unite unidad");

const WORDS_MAX = 12;

/** The column that a cell of the header names. */
export function bookColumnOf(name: string): NamedColumn {
  const plain = plainText(name).replace(/[_]+/g, " ").trim();
  const words = wordsIn(plain);
  const has = (known: ReadonlySet<string>) => words.some((word) => known.has(word));
  if (NUMBERED.test(plain) || plain === "#") return "other";
  if (words.length === 0 || words.length > WORDS_MAX) return null;
  if (RATE.test(plain)) return "other";
  if (has(LENGTH)) return null;
  if (has(UNIT) && words.length <= 2) return "unit";
  if (has(VOLUME)) return volumeColumn(plain, has);
  if (/\brecords? of\b|\bentr(?:y|ies)\b.*\bsignature/.test(plain)) return "text";
  const isSided = has(START) || has(END);
  if (ZONE.test(plain) && !isSided && !has(DATE)) return "zone";
  if (has(ITEM)) return "item";
  if (has(OTHER)) return isOther(words, has) ? "other" : null;
  if (has(TANKS)) return "tanks";
  if (has(PLACE)) return has(END) && !has(START) ? "end_location" : "location";
  if (has(CODE)) return "code";
  const timed = timeColumn(has);
  if (timed !== null) return timed;
  // A zone in brackets is read with the times.
  if (isSided) return sided(wordsIn(plain.replace(/[([][^)\]]*[)\]]/g, " ")), has);
  return has(KIND) ? "operation" : has(TEXT) ? "text" : null;
}

/** Words that may stand in the names of other columns and change nothing. */
const BESIDE = wordSet(
  "minimum minimale minima water ballast bw charge responsible person in s y n yes no his its m " +
    "c o cm kn bf bft beaufort psu ppt fwd aft mid dose mj entered " +
    "on per as above under keel rem by with and or if any",
);

/** True if all words of the name are known. A column of ship's time must not be left out. */
function isOther(words: readonly string[], has: (known: ReadonlySet<string>) => boolean): boolean {
  if (has(TIME) && has(SHIP)) return false;
  return words.every((word) => KNOWN.some((known) => known.has(word)));
}

/** A time's column named only as start or end, as "Commenced (UTC)"; "From tank" isn't one. */
function sided(
  words: readonly string[],
  has: (known: ReadonlySet<string>) => boolean,
): BookColumn | null {
  const isBare = words.every((word) => BARE.has(word) || START.has(word) || END.has(word));
  if (!isBare) return null;
  if (has(START) && has(END)) return "time";
  return has(START) ? "start" : "end";
}

/** Words that may stand beside a time without saying what is timed. */
const BARE = wordSet(
  "utc gmt lt local lmt smt at of the and de du del la le hh mm dd jj yyyy yy mmm aaaa aa " +
    "uptake discharge operation ballasting deballasting ballast water",
);

function timeColumn(has: (known: ReadonlySet<string>) => boolean): BookColumn | null {
  const [isDate, isTime] = [has(DATE) || has(BOTH), has(TIME) || has(BOTH)];
  if (!isDate && !isTime) return null;
  const [isStart, isEnd] = [has(START), has(END)];
  if (isStart && isEnd) return isDate && !isTime ? "date" : "time";
  const side = isStart ? "start" : isEnd ? "end" : null;
  if (side === null) return isDate ? "date" : "time";
  if (isDate === isTime) return side;
  return isDate ? `${side}_date` : `${side}_time`;
}

const SHIP = wordSet("ship ships vessel board onboard");

const KNOWN = [
  ...[OTHER, BESIDE, START, END, DATE, TIME, BOTH, STOCK, MOVED, IN, OUT, TANKS, PLACE],
  ...[CODE, ITEM, KIND, TEXT, UNIT, BARE],
];

const ITEM_4 = /\band\b|&|\/|\+|\bet\b|\by\b/;
const BEFORE = /\b(?:initial|before|tanks?)\b/;

/**
 * The column of the moved volume, not of the volume in the tanks. Item 4 of the form asks for both,
 * the moved one first.
 */
function volumeColumn(plain: string, has: (known: ReadonlySet<string>) => boolean): NamedColumn {
  const [isIn, isOut] = [has(IN) || MOVED_IN.test(plain), has(OUT) || MOVED_OUT.test(plain)];
  if (MULTIPLE.test(plain) || STRANGE.test(plain)) return null;
  if (has(STOCK)) {
    const isItem = ITEM_4.test(plain) && (isIn || isOut) && !BEFORE.test(plain);
    return isItem ? "volume" : "other";
  }
  const unit = namedUnit(plain) ?? "";
  const isKnown = (word: string) =>
    unit.includes(word) || [VOLUME, IN, OUT, MOVED].some((known) => known.has(word));
  if (!wordsIn(plain).every(isKnown)) return null;
  if (isIn !== isOut) return isIn ? "volume_in" : "volume_out";
  return "volume";
}

function wordsIn(plain: string): readonly string[] {
  return plain.match(/[a-z]+3?/g) ?? [];
}

/** True for a text that can be in the second line of a header: it has no number of its own. */
export function isNamePart(text: string): boolean {
  return !/\d/.test(plainText(text).replace(/m3|(?:utc|gmt) ?[+-]? ?\d{0,2}(?::?\d{2})?/g, ""));
}
