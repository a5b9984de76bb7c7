// Spanish texts of the area `parts`, in the words of ship's officers and of makers' panels. The
// keys are those of English.

import type { Translated } from "../area.ts";
import type { partsWords } from "../en/parts.ts";

export const esParts: Translated<typeof partsWords> = {
  of_rated: "% de la nominal",
  yes: "sí",
  no: "no",
  seconds: "{n} s",
  minutes: "{n} min",
  hours: "{n} h",
  days: { one: "{n} día", other: "{n} días" },
  utc: "UTC",
  ship_time: "hora de a bordo UTC{offset}",
  silent: "sin respuesta de {path}",
  odd: "respuesta inesperada de {path}",
  refused: "{path}: {status}, {message}",
  no_reason: "sin motivo indicado",
  broken: "Esta parte de la página ha fallado: {message}",
  again: "Reintentar",
  loading: "Consultando a ballastd",
  whole_text: "Texto completo",
  odd_parameter: "Esta dirección contiene algo que la página no conoce: {names}",
  engineer_token:
    "Para esto hace falta el token de un maquinista (engineer) o de mantenimiento (maintainer).",
  engineer_continue: "Continuar",
  engineer_kept: "Se guarda solo en esta página y se olvida tras 15 minutos sin tocar nada.",
  act_refused: "ballastd lo ha rechazado:",
  act_silent: "ballastd no respondió: compruebe si se hizo antes de volver a intentarlo.",
  lamp: "Lámpara {lamp}",
  limit: "límite {limit}",
  value_limit: "{value}, límite {limit}",
  value_limit_source: "{value}, límite {limit} ({source})",
  default_source: "valor por defecto, sustitúyalo por el del certificado de homologación",
  last_known: "Último estado conocido: {headline}",
  counters_fast:
    "Los contadores de horas de las lámparas del PLC avanzan {n} veces demasiado rápido. Las tendencias y exportaciones los muestran como llegaron; las demás horas de lámparas se dividen por {n}.",
  counters_unknown:
    "Los contadores de horas de las lámparas del PLC avanzan más que el reloj, sin un factor sencillo: no muestran horas. Los pronósticos de vida están suspendidos.",
};
