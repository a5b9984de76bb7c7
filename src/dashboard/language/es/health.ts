// Spanish texts of the area `health`, in the words of ship's officers and of makers' panels. The
// keys are those of English.

import type { Translated } from "../area.ts";
import type { healthWords } from "../en/health.ts";

export const esHealth: Translated<typeof healthWords> = {
  title: "Estado técnico",
  about:
    "Puntuaciones de 0 a 100, las más recientes primero. Sin tratamiento no se puntúa. Ninguna puntuación está por encima de los límites del certificado.",
  step: "Cada línea es",
  quarter: "un cuarto de hora",
  hour: "una hora, media",
  day: "un día, media",
  none: "Aún no hay puntuación.",
  overall: "Global",
  uv_health: "Luz UV",
  lamp_health: "Lámparas",
  power_efficiency: "Eficiencia eléctrica",
  thermal_health: "Temperaturas",
  weight: "{weight} % de la puntuación",
  score_of: "Puntuación: {part}",
  limits: "Límites: {limits}",
  tables: "Tablas",
  lines: "Puntuaciones, la más reciente primero",
  chart_label: "{name}, {from} a {to}",
};
