// Portuguese texts of the area `health`, in the words of ship's officers and of makers' panels. The
// keys are those of English.

import type { Translated } from "../area.ts";
import type { healthWords } from "../en/health.ts";

export const ptHealth: Translated<typeof healthWords> = {
  title: "Estado técnico",
  about:
    "Pontuações de 0 a 100, as mais recentes primeiro. Sem tratamento não há pontuação. Nenhuma pontuação está acima dos limites do certificado.",
  step: "Cada linha é",
  quarter: "um quarto de hora",
  hour: "uma hora, média",
  day: "um dia, média",
  none: "Ainda não há pontuação.",
  overall: "Global",
  uv_health: "Luz UV",
  lamp_health: "Lâmpadas",
  power_efficiency: "Eficiência elétrica",
  thermal_health: "Temperaturas",
  weight: "{weight} % da pontuação",
  score_of: "Pontuação: {part}",
  limits: "Limites: {limits}",
  tables: "Tabelas",
  lines: "Pontuações, a mais recente primeiro",
  chart_label: "{name}, {from} a {to}",
};
