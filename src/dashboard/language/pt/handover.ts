// Portuguese texts of the area `handover`, in the words of ship's officers and of makers' panels. The
// keys are those of English.

import type { Translated } from "../area.ts";
import type { handoverWords } from "../en/handover.ts";

export const ptHandover: Translated<typeof handoverWords> = {
  title: "Passagem de quarto",
  since: "Mudanças desde",
  last_look: "a última vez que se olhou neste navegador",
  hours_ago: { one: "há {n} hora", other: "há {n} horas" },
  print: "Imprimir",
  range: "De {from} até {to}",
  asking: "A consultar o ballastd",
  nothing: "Nada mudou.",
  operations: "Operações",
  alerts: "Alertas",
  lamps: "Lâmpadas",
  condition: "Estado da planta",
  cleanings: "Limpezas",
  data: "Dados e relógios",
  operation: "Operação",
  started: "{moment}: começou {type}.",
  started_at: "{moment}: começou {type}, {location}.",
  ended: "{moment}: terminou {type}.",
  ended_at: "{moment}: terminou {type}, {location}.",
  rose: "{moment}: {priority} {name}. {about}",
  rose_again: {
    one: "{moment}: {priority} {name}, {n} vez. {about}",
    other: "{moment}: {priority} {name}, {n} vezes, esta é a última. {about}",
  },
  over: "{moment}: terminou {name}.",
  acknowledged: "{moment}: {by} reconheceu {name}.",
  replaced: "{moment}: a lâmpada {lamp} foi substituída.",
  health: "Estado técnico: {to} de 100.",
  health_changed: "Estado técnico: de {from} para {to} de 100.",
  intensity: "Intensidade UV durante o tratamento: de {from} para {to}.",
  gap: "{moment}: sem leituras durante {age} numa operação.",
  gap_lasts: "{moment}: sem leituras desde então, {age}, numa operação.",
  plc_back: "{moment}: o relógio do PLC foi atrasado {age}.",
  plc_forward: "{moment}: o relógio do PLC foi adiantado {age}.",
  box_back: "{moment}: o relógio do PC foi atrasado {age}.",
  box_forward: "{moment}: o relógio do PC foi adiantado {age}.",
};
