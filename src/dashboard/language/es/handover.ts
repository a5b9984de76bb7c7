// Spanish texts of the area `handover`, in the words of ship's officers and of makers' panels. The
// keys are those of English.

import type { Translated } from "../area.ts";
import type { handoverWords } from "../en/handover.ts";

export const esHandover: Translated<typeof handoverWords> = {
  title: "Relevo de guardia",
  since: "Cambios desde",
  last_look: "la última vez que se miró en este navegador",
  hours_ago: { one: "hace {n} hora", other: "hace {n} horas" },
  print: "Imprimir",
  range: "Desde {from} hasta {to}",
  asking: "Consultando a ballastd",
  nothing: "Nada ha cambiado.",
  operations: "Operaciones",
  alerts: "Alertas",
  lamps: "Lámparas",
  condition: "Estado de la planta",
  cleanings: "Limpiezas",
  data: "Datos y relojes",
  operation: "Operación",
  started: "{moment}: comenzó {type}.",
  started_at: "{moment}: comenzó {type}, {location}.",
  ended: "{moment}: terminó {type}.",
  ended_at: "{moment}: terminó {type}, {location}.",
  rose: "{moment}: {priority} {name}. {about}",
  rose_again: {
    one: "{moment}: {priority} {name}, {n} vez. {about}",
    other: "{moment}: {priority} {name}, {n} veces, esta es la última. {about}",
  },
  over: "{moment}: terminó {name}.",
  acknowledged: "{moment}: {by} reconoció {name}.",
  replaced: "{moment}: se cambió la lámpara {lamp}.",
  health: "Estado técnico: {to} de 100.",
  health_changed: "Estado técnico: de {from} a {to} de 100.",
  intensity: "Intensidad UV durante el tratamiento: de {from} a {to}.",
  gap: "{moment}: sin lecturas durante {age} en una operación.",
  gap_lasts: "{moment}: sin lecturas desde entonces, {age}, en una operación.",
  plc_back: "{moment}: el reloj del PLC se atrasó {age}.",
  plc_forward: "{moment}: el reloj del PLC se adelantó {age}.",
  box_back: "{moment}: el reloj del PC se atrasó {age}.",
  box_forward: "{moment}: el reloj del PC se adelantó {age}.",
};
