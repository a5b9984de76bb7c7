// Finds the kind of entry that a cell names: a letter of the form, an item of the form before 2025,
// or words of seafarers in English, French or Spanish. Every word must be known: "ballast" alone
// says neither uptake nor discharge, and an unknown word may change the meaning of the others.

import { plainText, wordSet } from "./book-words.ts";
import { OLD_ITEMS, RECORD_CODES, type RecordCode } from "./form.ts";

export interface EntryKind {
  readonly code: RecordCode;
  /** An item of the form before 2025, as `3.1`; else null. */
  readonly old_item: string | null;
  /** The item of the form that the cell names beside its letter, as in A.4; else null. */
  readonly item: number | null;
  /** Treated or not, by its words; null if they don't say. */
  readonly treatment: Treatment | null;
}

export type Treatment = "treated" | "untreated";

/** Words that name a kind by themselves. */
const WORDS: readonly (readonly [RecordCode, ReadonlySet<string>])[] = [
  [
    "A",
    wordSet(
      "uptake uptakes uptaking intake intakes ballasting ballasted balasting reballasting " +
        "filling filled fill taken taking ballastage ballaster lestage remplissage rempli " +
        "prise embarquement toma tomada lastrado lastrada lastrar lastrando llenado embarque",
    ),
  ],
  [
    "B",
    wordSet(
      "deballasting deballasted deballast debalasting deballastage deballaster delestage " +
        "emptying emptied discharge discharges discharged discharging disch dischg dischd " +
        "dischrg overboard deballastaje deslastre deslastrado deslastrada deslastrar " +
        "deslastrando rejet rejets rejete rejetee rejetees vidange dechargement descarga " +
        "descargas descargado descargada desembarque vaciado achique",
    ),
  ],
  [
    "C",
    wordSet(
      "exchange exchanged exchanging exch bwe circulation circulated circulating circ " +
        "recirculation recirculated recirculating transfer transfers transferred transferring " +
        "xfer shifting renouvellement renouvele echange recirculacion circulacion circulado " +
        "cambio recambio intercambio transferencia trasvase trasiego transfert",
    ),
  ],
  ["D", wordSet("reception recepcion facility facilities installation instalacion")],
  [
    "E",
    wordSet(
      "accidental accidentally accident ingress exceptional emergency leak leakage " +
        "accidentel accidentelle exceptionnel exceptionnelle exceptionnels excepcional " +
        "accidente emergencia urgence",
    ),
  ],
  [
    "F",
    wordSet(
      "failure failures failed fault faults malfunction malfunctioned malfunctioning " +
        "breakdown inoperable inoperative defaillance defaillances panne pannes fallo fallos " +
        "averia averias",
    ),
  ],
  [
    "G",
    wordSet(
      "sediment sediments sedimento sedimentos mud cleaning cleaned flushing flushed " +
        "nettoyage rincage limpieza enjuague",
    ),
  ],
  [
    "H",
    wordSet(
      "remark remarks remarque remarques observacion observaciones training drill sampling sample",
    ),
  ],
];

/** Phrases that name a kind only together; they are read before single words. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\bde (?=bal+ast(?:ing|ed)\b)/g, "de"],
  [/\bre (?=bal+asting\b)/g, "re"],
  [/\b(?:ballast|water|bw|wb) in$/g, "intake"],
  [/\b(?:ballast|water|bw|wb) out$/g, "discharge"],
  [/\bpump(?:ed|ing)? in\b|\b(?:ballast|bw) load(?:ed|ing)\b/g, "intake"],
  [/\bload(?:ed|ing)? (?:of )?(?=(?:sea )?(?:ballast|bw)\b)/g, "intake "],
  [/\bcarga de (?=lastre|agua de lastre)/g, "toma "],
  [/\bpump(?:ed|ing)? (?:it )?(?:out|over ?board)\b|\bover board\b/g, "discharge"],
  [/\bout of order\b|\bhors service\b|\bfuera de servicio\b/g, "failure"],
  [/\b(?:on|to|from) shore (?:facility|reception)\b|\bto shore\b/g, "reception"],
  [/\bin tank treatment\b|\btreatment in tanks?\b/g, "circulation"],
  [/\b(?:flow through|sequential|dilution)(?: method)?(?= |$)/g, "exchange"],
  [/\bwithout (?:any )?(?:uv |bw |ballast water )*(?:treatment|bwts|bwms)\b/g, "bypass"],
  [/\bconduct(?:ed)? as per (?:the )?(?:plan|bwmp)\b/g, ""],
];

/** Words that may stand beside a kind without changing it. */
const BESIDE = wordSet(
  "ballast ballasts lastre lest eau eaux agua aguas water waters bw wb b w bwts bwms bwm " +
    "bwmp uv of the from into in on to at by via with through using and for during while " +
    "board sea seawater sw mer mar bord a la le les l el los las de des du d del en con por " +
    "par et y un una operation operations operacion operaciones op ops started start " +
    "commenced commence began begin begun completed complete completion finished finish ended " +
    "end debut fin inicio final treatment treated treating traitement traite tratamiento " +
    "tratada tratado system systeme sistema plant bypass bypassed bypassing unmanaged " +
    "untreated port harbour berth anchorage gravity gravitated gravite gravedad pump pumps " +
    "pumping pumped main durante pendant and bordo al db dbs tank tanks citerne citernes " +
    "tanque tanques tk tks wbt wbts dbt dbts tst tsts hst fpt apt fore aft peak forepeak " +
    "afterpeak double bottom top side topside wing hold holds all internal interne interna " +
    "inter between general removal removed removing enlevement retirada complet when whenever " +
    "is was are aquatic environment lamp lamps imo uscg port stbd starboard centre center p s " +
    "c",
);

/** Words beside a kind that say whether the water was treated; if they say both, it wasn't. */
const TREATED = wordSet(
  "treated treating traite tratada tratado treatment traitement tratamiento uv bwts bwms",
);
const UNTREATED = wordSet("bypass bypassed bypassing unmanaged untreated");

/** Signs of doubt, correction or deletion: words beside them can't be relied on. */
const STRANGE = /[^\p{L}\p{M}\p{N}\s.,:;/()[\]&+'’°–-]|--/u;

/** A tank's number with its side: 1P, 3, 2S/C. */
const TANK = /^\d{1,2}[psc]{0,3}$/;

/** Words that show that a failure happened during an operation, and is the entry. */
const MEANWHILE = wordSet("during while pendant durante in en");

const LETTER_MARKED = /^(?:code|codigo|letter|lettre|letra)\b[\s:.]*/;
// A letter alone, or with items, as A, (A), A1, A.4, A 1-6, A.1/A.2.
const LETTER = /^[([]?([a-h])[)\]]?[\s.\-(/]*(?:(\d{1,2})[\s).,\-/&a-h\d]*)?[.:)]*$/;
// A letter before words: A - uptake, B: discharge, A uptake, A.1 ballasting.
const LETTER_FIRST = /^[([]?([a-h])(?:\)|\]|[\s.]*\d)?(?:\s*[-–:=,]\s*|[.)\]]?\s+)(?=[a-z]{2})/;
const OLD_ITEM = /^(?:item|section|rubrique|punto|no|n)?[\s.:°º]*(3\.[1-6])(?:\.\d)?(?![.\d])\W*/;

/** The kind that a text names; null if it isn't understood, or names two. */
export function entryKind(text: string): EntryKind | null {
  const plain = plainText(text).trim().replace(LETTER_MARKED, "");
  const kind = STRANGE.test(text.replace("=", " ")) ? null : kindOf(plain);
  return kind === null ? null : { ...kind, treatment: treatmentIn(plain) };
}

const NO_METHOD = /^\W*(?:none|nil|no|non|aucun\w*|ningun\w*|not|without|sans|sin)\b/;
const OTHER_METHOD = /\b(?:exchanged?|d\W?1|renouvel\w*|cambio)\b/;
const NO_BYPASS = /\b(?:no|not|without|sans|sin) bypass\w*/g;

/** The treatment by the item of the method; null where it says neither. */
export function methodTreatment(text: string): Treatment | null {
  const plain = plainText(text).replace(NO_BYPASS, "");
  if (NO_METHOD.test(plain) || OTHER_METHOD.test(plain)) return "untreated";
  return treatmentIn(plain);
}

function treatmentIn(plain: string): Treatment | null {
  const words = withPhrases(plain).split(" ");
  if (words.some((word) => UNTREATED.has(word))) return "untreated";
  return words.some((word) => TREATED.has(word)) ? "treated" : null;
}

type NamedKind = Omit<EntryKind, "treatment">;

function kindOf(plain: string): NamedKind | null {
  const old = OLD_ITEM.exec(plain);
  if (old !== null) {
    const code = OLD_ITEMS[old[1]];
    const isAgreed = isSaidAs(code, plain.slice(old[0].length));
    return isAgreed ? { code, old_item: old[1], item: null } : null;
  }
  const alone = LETTER.exec(plain);
  if (alone !== null) {
    const code = letterIn(alone[1]);
    const item = alone[2] === undefined ? null : Number(alone[2]);
    // "2.A", or the letters of two entries in one cell, aren't one letter.
    const others = plain.slice(1).match(/[a-h]/g) ?? [];
    return code === null || others.some((one) => one !== alone[1]) ? null : named(code, item);
  }
  const first = LETTER_FIRST.exec(plain);
  if (first !== null) {
    const code = letterIn(first[1]);
    return code !== null && isSaidAs(code, plain.slice(first[0].length)) ? named(code) : null;
  }
  const [code, ...more] = kindsIn(plain) ?? [];
  return code === undefined || more.length > 0 ? null : named(code);
}

const named = (code: RecordCode, item: number | null = null): NamedKind => ({
  ...{ code, old_item: null, item },
});

function letterIn(text: string): RecordCode | null {
  return RECORD_CODES.find((one) => one === text.toUpperCase()) ?? null;
}

/** True if all words beside a letter are known, and don't contradict it. */
function isSaidAs(code: RecordCode, words: string): boolean {
  if (words.trim() === "") return true;
  const kinds = kindsIn(words);
  return kinds?.every((kind) => kind === code) === true;
}

/** The kinds that the words name, a part of another kind as that kind; null: a word isn't known. */
function kindsIn(plain: string): readonly RecordCode[] | null {
  // Words in another alphabet aren't known.
  if (/[^a-z\P{L}]/u.test(plain)) return null;
  const words = withPhrases(plain)
    .split(" ")
    .filter((word) => word !== "");
  const found = new Set<RecordCode>();
  for (const word of words) {
    const kind = WORDS.find(([, names]) => names.has(word))?.[0];
    if (kind !== undefined) found.add(kind);
    else if (!BESIDE.has(word) && !TANK.test(word)) return null;
  }
  return [...widest(found, words)];
}

/** The text with each phrase replaced by the word that it stands for. */
function withPhrases(plain: string): string {
  let text = plain
    .replace(/\bb ?\/ ?w\b/g, "bw")
    .replace(/\b(de|re)-(?=bal+ast|lastr)/g, "$1")
    .replace(/\b([a-z])\.\s?([a-z])\.(?:\s?([a-z])\b\.?)?/g, (_, ...letters: unknown[]) =>
      letters.slice(0, 3).join(""),
    )
    .replace(/\b(?:no|nr|nos)\s?[.:]?\s?(?=\d)/g, "")
    .replace(/[^a-z0-9]+/g, " ")
    .trim();
  for (const [phrase, words] of PHRASES) text = text.replace(phrase, words);
  return text;
}

/** Merges kinds: an accidental discharge is E, to a reception facility D, a failure meanwhile F. */
function widest(kinds: ReadonlySet<RecordCode>, words: readonly string[]): ReadonlySet<RecordCode> {
  const moves = [...kinds].filter((kind) => kind === "A" || kind === "B");
  const [rest, ...more] = [...kinds].filter((kind) => kind !== "A" && kind !== "B");
  if (rest === undefined || more.length > 0 || moves.length !== 1) return kinds;
  const isWider = rest === "E" || rest === "D" || (rest === "F" && isMeanwhile(words));
  return isWider ? new Set([rest]) : kinds;
}

function isMeanwhile(words: readonly string[]): boolean {
  const failures = WORDS.find(([code]) => code === "F")?.[1];
  const failure = words.findIndex((word) => failures?.has(word) === true);
  return words.slice(failure + 1).some((word) => MEANWHILE.has(word));
}
