// THE FORM of the Ballast Water Record Book: its letters and items, the date from which it applies,
// and how certain each of them is. The full text of the resolution wasn't available when this was
// written: all that is marked "confirm" must be compared with it. A change of the table is a new
// version. Without zod: it is part of the page.

export const RECORD_LANGUAGES = ["en", "fr", "es"] as const;
/** The languages in which the Convention takes entries (regulation B-2.5). */
export type RecordLanguage = (typeof RECORD_LANGUAGES)[number];

export type InLanguages = Readonly<Record<RecordLanguage, string>>;

export const RECORD_CODES = ["A", "B", "C", "D", "E", "F", "G", "H"] as const;
export type RecordCode = (typeof RECORD_CODES)[number];

/** Certainty of an item. read: in a published source; confirm: not compared with the full text. */
export const FORM_BASES = ["read", "confirm"] as const;
export type FormBasis = (typeof FORM_BASES)[number];

export type ItemName =
  | "start"
  | "completion"
  | "tanks"
  | "volume"
  | "plan"
  | "method"
  | "accident"
  | "occurrence"
  | "volume_lost"
  | "circumstances"
  | "failure"
  | "during"
  | "issue"
  | "operational"
  | "remark";

interface FormItem {
  readonly item: number;
  readonly asks: ItemName;
  readonly basis: FormBasis;
}

interface FormCode {
  /** Basis of the letter itself. */
  readonly basis: FormBasis;
  readonly title: InLanguages;
  /** Items of the letter; empty if ballastd neither drafts nor reads them. */
  readonly items: readonly FormItem[];
}

export const FORM_VERSION = 2;

export const FORM_RESOLUTION = "MEPC.369(80)";

/** First day (UTC) on which the form applies. */
export const FORM_EFFECTIVE = "2025-02-01";

export const FORM_SOURCES =
  "MEPC.369(80): adoption and date read in the Spanish publication of the resolution; codes A to " +
  "H read in a class society's news; code A's six items, and None with the reason in item 6 of " +
  "water that isn't managed, read in a published commentary on BWM.2/Circ.80. Letters B to H and " +
  "all their items are to be confirmed against the full text.";

/** Items with their numbers, from 1, in the order given. */
function items(basis: FormBasis, ...asked: readonly ItemName[]): readonly FormItem[] {
  return asked.map((asks, index) => ({ item: index + 1, asks, basis }));
}

const WATER = ["start", "completion", "tanks", "volume", "plan", "method"] as const;

export const FORM_CODES: Readonly<Record<RecordCode, FormCode>> = {
  A: {
    basis: "read",
    title: {
      en: "Ballast water taken on board (uptake)",
      fr: "Prise d'eaux de ballast à bord",
      es: "Toma de agua de lastre a bordo",
    },
    items: items("read", ...WATER),
  },
  B: {
    basis: "confirm",
    title: {
      en: "Ballast water discharged into the sea",
      fr: "Rejet d'eaux de ballast en mer",
      es: "Descarga de agua de lastre al mar",
    },
    items: items("confirm", ...WATER),
  },
  C: {
    basis: "confirm",
    title: {
      en: "Ballast water exchanged, circulated or treated on board",
      fr: "Eaux de ballast renouvelées, mises en circulation ou traitées à bord",
      es: "Agua de lastre cambiada, circulada o tratada a bordo",
    },
    items: items("confirm", ...WATER),
  },
  D: {
    basis: "confirm",
    title: {
      en: "Ballast water discharged to, or taken from, a reception facility",
      fr: "Eaux de ballast rejetées dans une installation de réception, ou prises d'elle",
      es: "Agua de lastre descargada en una instalación de recepción, o tomada de ella",
    },
    items: [],
  },
  E: {
    basis: "confirm",
    title: {
      en: "Accidental or other exceptional uptake or discharge",
      fr: "Prise ou rejet accidentel ou exceptionnel",
      es: "Toma o descarga accidental o excepcional",
    },
    items: items("confirm", "accident", "occurrence", "tanks", "volume_lost", "circumstances"),
  },
  F: {
    basis: "confirm",
    title: {
      en: "Failure of the ballast water management system",
      fr: "Défaillance du système de gestion des eaux de ballast",
      es: "Fallo del sistema de gestión del agua de lastre",
    },
    items: items("confirm", "failure", "during", "issue", "operational"),
  },
  G: {
    basis: "confirm",
    title: {
      en: "Tanks cleaned or flushed, sediment removed",
      fr: "Citernes nettoyées ou rincées, sédiments enlevés",
      es: "Tanques limpiados o enjuagados, sedimentos retirados",
    },
    items: [],
  },
  H: {
    basis: "confirm",
    title: {
      en: "Additional procedures and general remarks",
      fr: "Opérations supplémentaires et remarques générales",
      es: "Procedimientos adicionales y observaciones generales",
    },
    items: items("confirm", "remark"),
  },
};

/** Items of the form before 2025, and the letter that replaced each. From a published source. */
export const OLD_ITEMS: Readonly<Record<string, RecordCode>> = {
  "3.1": "A",
  "3.2": "C",
  "3.3": "B",
  "3.4": "D",
  "3.5": "E",
  "3.6": "H",
};
