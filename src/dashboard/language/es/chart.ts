// Spanish texts of the area `chart`, in the words of ship's officers and of makers' panels. The
// keys are those of English.

import type { Translated } from "../area.ts";
import type { chartWords } from "../en/chart.ts";

export const esChart: Translated<typeof chartWords> = {
  no_cursor: "Señale la curva para leer sus valores; un clic los retiene",
  band: "{value} (de {min} a {max})",
  readings: "Lecturas de este tiempo: {n}; las primeras, con su prueba.",
  in_trends: "En Tendencias",
  operation: "Operación",
  alert: "Alerta",
  cleaning: "Limpieza",
  replacement: "Lámpara sustituida",
  outside_limits: "Fuera de límites",
  cannot_tell: "No se puede determinar",
  time: "Hora, {clock}",
  value: "Valor",
  mean: "Media",
  least: "Mínimo",
  greatest: "Máximo",
  rows: { one: "{n} fila", many: "{n} de filas", other: "{n} filas" },
  earlier: "Filas anteriores",
  later: "Filas siguientes",
  page: "página {page} de {pages}",
  key_back: "curvas: atrás en el tiempo",
  key_on: "curvas: adelante en el tiempo",
  key_in: "curvas: acercar",
  key_out: "curvas: alejar",
  key_cursor_back: "cursor: atrás",
  key_cursor_on: "cursor: adelante",
};
