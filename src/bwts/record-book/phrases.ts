// The words of draft entries in the three languages of the record book, whatever the language of
// the page. Without zod: it is part of the page.

import type { Remark } from "../operations/operation.ts";
import type { InLanguages, ItemName } from "./form.ts";

/** Labels of facts that ballastd can't know: each is an empty box for the officer. */
export const BOXES = {
  code: {
    en: "code: A uptake, or B discharge",
    fr: "code : A prise, ou B rejet",
    es: "código: A toma, o B descarga",
  },
  end: {
    en: "date and time of the end",
    fr: "date et heure de la fin",
    es: "fecha y hora del final",
  },
  location: {
    en: "port, or latitude and longitude",
    fr: "port, ou latitude et longitude",
    es: "puerto, o latitud y longitud",
  },
  depth: {
    en: "minimum depth of water, m",
    fr: "profondeur minimale de l'eau, m",
    es: "profundidad mínima del agua, m",
  },
  tanks: { en: "tanks", fr: "citernes", es: "tanques" },
  volume: { en: "estimated volume, m3", fr: "volume estimé, m3", es: "volumen estimado, m3" },
  retained: {
    en: "final total quantity retained, m3",
    fr: "quantité totale finale conservée, m3",
    es: "cantidad total final retenida, m3",
  },
  plan: {
    en: "as per the approved plan: yes, or no and why",
    fr: "selon le plan approuvé : oui, ou non et pourquoi",
    es: "según el plan aprobado: sí, o no y por qué",
  },
  operational: {
    en: "when it was operational again, date and time",
    fr: "remise en service, date et heure",
    es: "vuelta al servicio, fecha y hora",
  },
  reason: {
    en: "reason, and what was done",
    fr: "cause, et mesures prises",
    es: "causa, y medidas tomadas",
  },
  signature: {
    en: "signature of the officer in charge",
    fr: "signature de l'officier responsable",
    es: "firma del oficial encargado",
  },
} as const satisfies Readonly<Record<string, InLanguages>>;
export type BoxName = keyof typeof BOXES;

export const ITEM_TITLES: Readonly<Record<ItemName, InLanguages>> = {
  start: { en: "Start: time, place", fr: "Début : heure, lieu", es: "Comienzo: hora, lugar" },
  completion: {
    en: "Completion: time, place, minimum depth",
    fr: "Fin : heure, lieu, profondeur minimale",
    es: "Final: hora, lugar, profundidad mínima",
  },
  tanks: BOXES.tanks,
  volume: {
    en: "Volume, and total retained",
    fr: "Volume, et total conservé",
    es: "Volumen, y total retenido",
  },
  plan: { en: "Approved plan", fr: "Plan approuvé", es: "Plan aprobado" },
  method: { en: "Treatment", fr: "Traitement", es: "Tratamiento" },
  accident: {
    en: "Ingress, uptake, discharge or loss",
    fr: "Entrée, prise, rejet ou perte",
    es: "Entrada, toma, descarga o pérdida",
  },
  occurrence: {
    en: "Date, time and place",
    fr: "Date, heure et lieu",
    es: "Fecha, hora y lugar",
  },
  volume_lost: BOXES.volume,
  circumstances: {
    en: "Circumstances, reason, treatment",
    fr: "Circonstances, cause, traitement",
    es: "Circunstancias, causa, tratamiento",
  },
  failure: {
    en: "Failure: date, time, place",
    fr: "Défaillance : date, heure, lieu",
    es: "Fallo: fecha, hora, lugar",
  },
  during: {
    en: "Operation during which it failed",
    fr: "Opération pendant la défaillance",
    es: "Operación durante el fallo",
  },
  issue: {
    en: "Description, as of the alarm",
    fr: "Description, comme l'alarme",
    es: "Descripción, como la alarma",
  },
  operational: {
    en: "Operational again: date, time, place",
    fr: "De nouveau en service : date, heure, lieu",
    es: "De nuevo en servicio: fecha, hora, lugar",
  },
  remark: { en: "Remark", fr: "Remarque", es: "Observación" },
};

export const DRAFT_MARK: InLanguages = {
  en: "draft: to be verified and signed by the officer",
  fr: "projet : à vérifier et à signer par l'officier",
  es: "borrador: debe verificarlo y firmarlo el oficial",
};

export const NO_RECORD_BOOK: InLanguages = {
  en: "ballastd is no electronic record book",
  fr: "ballastd n'est pas un registre électronique",
  es: "ballastd no es un libro registro electrónico",
};

/** Notes on an entry, by the remarks on its operation; null: not relevant to the book. */
export const REMARK_NOTES: Readonly<Record<Remark, InLanguages | null>> = {
  no_start: {
    en: "the start wasn't sent: the first reading tells it",
    fr: "le début n'a pas été transmis : la première mesure l'indique",
    es: "el comienzo no fue enviado: lo indica la primera medición",
  },
  no_stop: {
    en: "the stop wasn't sent: readings tell the end",
    fr: "l'arrêt n'a pas été transmis : les mesures indiquent la fin",
    es: "la parada no fue enviada: las mediciones indican el final",
  },
  never_ended: {
    en: "nothing tells the end",
    fr: "rien n'indique la fin",
    es: "nada indica el final",
  },
  water_unseen: {
    en: "more water may have moved while no reading came",
    fr: "de l'eau a pu circuler encore alors qu'aucune mesure n'est venue",
    es: "pudo circular más agua mientras no llegaba ninguna medición",
  },
  overlaps: {
    en: "another operation was under way at the same time",
    fr: "une autre opération était en cours en même temps",
    es: "otra operación estaba en curso al mismo tiempo",
  },
  crosses_month: null,
  clock_stepped: {
    en: "a clock was set meanwhile",
    fr: "une horloge a été réglée entre-temps",
    es: "un reloj fue ajustado entretanto",
  },
  clock_untrusted: {
    en: "the PC's clock wasn't trusted",
    fr: "l'horloge du PC n'était pas fiable",
    es: "el reloj del PC no era fiable",
  },
  volume_differs: {
    en: "totaliser and integrated flow differ by more than 2 %",
    fr: "totalisateur et débit intégré diffèrent de plus de 2 %",
    es: "totalizador y caudal integrado difieren más del 2 %",
  },
  volume_unclear: {
    en: "totaliser and flow contradict each other: the volume can't be told",
    fr: "totalisateur et débit se contredisent : le volume ne peut être indiqué",
    es: "totalizador y caudal se contradicen: no se puede indicar el volumen",
  },
  totaliser_reset: {
    en: "the totaliser fell or leapt meanwhile",
    fr: "le totalisateur a reculé ou sauté entre-temps",
    es: "el totalizador retrocedió o saltó entretanto",
  },
  totaliser_odd: {
    en: "odd values of the totaliser are left out",
    fr: "des valeurs aberrantes du totalisateur sont écartées",
    es: "se omiten valores anómalos del totalizador",
  },
  totaliser_stands: {
    en: "the totaliser stood still while water flowed",
    fr: "le totalisateur est resté fixe alors que l'eau circulait",
    es: "el totalizador quedó parado mientras circulaba agua",
  },
  trickle: {
    en: "some of the water moved too slowly to be judged",
    fr: "une partie de l'eau a circulé trop lentement pour être jugée",
    es: "parte del agua circuló con demasiada lentitud para ser juzgada",
  },
  implausible_values: {
    en: "impossible values were sent: they count as not told",
    fr: "des valeurs impossibles ont été transmises : elles comptent comme non transmises",
    es: "se enviaron valores imposibles: cuentan como no enviados",
  },
  sensor_frozen: {
    en: "a sensor didn't move while others did",
    fr: "un capteur est resté figé alors que d'autres variaient",
    es: "un sensor quedó fijo mientras otros variaban",
  },
  sensor_contradicted: {
    en: "sensors contradict each other",
    fr: "des capteurs se contredisent",
    es: "hay sensores que se contradicen",
  },
  readings_contradicted: {
    en: "messages of one time contradict each other",
    fr: "des messages de la même heure se contredisent",
    es: "hay mensajes de la misma hora que se contradicen",
  },
  readings_hidden: {
    en: "readings are hidden as wrong, by an entry in the audit log",
    fr: "des mesures sont masquées comme erronées, selon le journal d'audit",
    es: "hay mediciones ocultas por erróneas, según el registro de auditoría",
  },
  readings_expired: null,
  damaged: null,
  withdrawn: null,
  waiting: {
    en: "its data or the limits have changed: it waits to be judged again",
    fr: "ses données ou les limites ont changé : elle attend d'être réévaluée",
    es: "sus datos o los límites han cambiado: espera un nuevo veredicto",
  },
};
