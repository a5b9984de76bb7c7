// The sentences of draft entries, with their values, and the reasons of verdicts as a few words.
// Without zod: they are part of the page.

import type { InLanguages, RecordLanguage } from "./form.ts";

/** Sentences of entries, with `{name}` in place of a value. */
const SENTENCES = {
  before_form: {
    en: "before {effective}: the book then had another form; this draft follows that of 2025",
    fr: "avant le {effective} : le registre avait un autre modèle ; ce projet suit celui de 2025",
    es: "antes del {effective}: el libro tenía otro modelo; este borrador sigue el de 2025",
  },
  not_recorded: {
    en: "{minutes} of {of} min not recorded",
    fr: "{minutes} min sur {of} non enregistrées",
    es: "{minutes} de {of} min sin registrar",
  },
  volume_unclear: {
    en: "{totaliser} m3 by the totaliser or {flow} m3 by the flow: it can't be told which",
    fr: "{totaliser} m3 d'après le totalisateur ou {flow} m3 d'après le débit : indéterminé",
    es: "{totaliser} m3 según el totalizador o {flow} m3 según el caudal: no se sabe cuál",
  },
  by_totaliser: {
    en: "by the totaliser",
    fr: "d'après le totalisateur",
    es: "según el totalizador",
  },
  by_flow: {
    en: "by the flow, integrated",
    fr: "d'après le débit intégré",
    es: "según el caudal integrado",
  },
  treated: {
    en: "UV treatment, {mode}",
    fr: "Traitement par UV, {mode}",
    es: "Tratamiento por UV, {mode}",
  },
  untold_mode: { en: "mode not told", fr: "mode inconnu", es: "modo desconocido" },
  within: {
    en: "within the system's limits by the log",
    fr: "dans les limites du système d'après le journal",
    es: "dentro de los límites del sistema según el registro",
  },
  outside: {
    en: "outside the system's limits by the log: {reasons}",
    fr: "hors des limites du système d'après le journal : {reasons}",
    es: "fuera de los límites del sistema según el registro: {reasons}",
  },
  untold: {
    en: "the log can't tell for all of the time",
    fr: "le journal ne permet pas d'en juger pour toute la durée",
    es: "el registro no permite juzgarlo en todo el tiempo",
  },
  part: {
    en: "part {part} of {parts}",
    fr: "partie {part} de {parts}",
    es: "parte {part} de {parts}",
  },
  bypassed: {
    en: "None. Treatment system bypassed from {start} to {end}.",
    fr: "Aucun. Système de traitement contourné de {start} à {end}.",
    es: "Ninguno. Sistema de tratamiento en derivación de {start} a {end}.",
  },
  accident: {
    en: "if it was accidental or exceptional, enter it as E: {items}",
    fr: "si c'était accidentel ou exceptionnel, l'inscrire comme E : {items}",
    es: "si fue accidental o excepcional, anótela como E: {items}",
  },
  during: {
    en: "{letter}: {title} (start {start})",
    fr: "{letter} : {title} (début {start})",
    es: "{letter}: {title} (comienzo {start})",
  },
  faulted: {
    en: "State FAULT from {start} to {end}.",
    fr: "État FAULT de {start} à {end}.",
    es: "Estado FAULT de {start} a {end}.",
  },
  alarmed: {
    en: "Alarm {code} at {start}.",
    fr: "Alarme {code} à {start}.",
    es: "Alarma {code} a las {start}.",
  },
  cleaned: {
    en: "Treatment system cleaned in place (CIP) from {start} to {end}.",
    fr: "Nettoyage en place (CIP) du système de traitement de {start} à {end}.",
    es: "Limpieza in situ (CIP) del sistema de tratamiento de {start} a {end}.",
  },
  no_readings: {
    en: "No data of the treatment system from {start} to {end}.",
    fr: "Aucune donnée du système de traitement de {start} à {end}.",
    es: "Sin datos del sistema de tratamiento de {start} a {end}.",
  },
  challenging: {
    en: "Indication of challenging water from {start} to {end}: to be judged by the officer.",
    fr: "Indice d'eau difficile de {start} à {end} : à apprécier par l'officier.",
    es: "Indicio de agua difícil de {start} a {end}: debe juzgarlo el oficial.",
  },
} as const satisfies Readonly<Record<string, InLanguages>>;

/** The sentence in `language`, with its values. */
export function recordPhrase(
  language: RecordLanguage,
  name: keyof typeof SENTENCES,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return SENTENCES[name][language].replace(/\{(\w+)\}/g, (_, key: string) => `${values[key]}`);
}

/** Short texts for reasons, by id of the rule; an id that isn't listed is printed itself. */
const REASON_WORDS: Readonly<Record<string, InLanguages>> = {
  uv_below_limit: {
    en: "UV intensity below the limit",
    fr: "intensité UV sous la limite",
    es: "intensidad UV por debajo del límite",
  },
  flow_above_certified: {
    en: "flow above the certified flow",
    fr: "débit supérieur au débit certifié",
    es: "caudal superior al certificado",
  },
  bypass: { en: "bypassed", fr: "contourné", es: "en derivación" },
  fault: {
    en: "treatment system in fault",
    fr: "système de traitement en défaut",
    es: "sistema de tratamiento en fallo",
  },
  warmup_stopping: {
    en: "water moving in warm-up or while stopping",
    fr: "eau en circulation pendant la mise en chauffe ou l'arrêt",
    es: "agua en movimiento durante el calentamiento o la parada",
  },
  untreated: {
    en: "water moving without treatment",
    fr: "eau en circulation sans traitement",
    es: "agua en movimiento sin tratamiento",
  },
};

export function reasonWords(rule: string, language: RecordLanguage): string {
  return REASON_WORDS[rule]?.[language] ?? rule;
}
