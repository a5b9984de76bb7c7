// Spanish texts of the area `trends`, in the words of ship's officers and of makers' panels. The
// keys are those of English.

import type { Translated } from "../area.ts";
import type { trendsWords } from "../en/trends.ts";

export const esTrends: Translated<typeof trendsWords> = {
  title: "Tendencias",
  day: "24 horas",
  week: "7 días",
  month: "30 días",
  year: "12 meses",
  two_years: "24 meses",
  operation: "Esta operación",
  from: "Desde",
  to: "Hasta",
  follow: "Seguir las lecturas nuevas",
  state: "Estado",
  states_closer: "Los estados se muestran en 36 horas como máximo: acérquese",
  add: "Añadir un campo",
  remove: "Quitar: {field}",
  lamp_field: "Lámpara {n}: {field}",
  compare: "Superponer",
  compare_none: "nada",
  compare_before: "el intervalo anterior",
  compare_year: "un año antes",
  compare_own: "desde {day}",
  earlier: "{field}, desde {day}",
  axis: "Eje",
  calendar: "calendario",
  hours: "horas de operación, sin pausas",
  table: "Tablas",
  whole_days: "cada día: media, mínimo y máximo",
  whole_hours: "cada hora: media, mínimo y máximo",
  readings: "cada lectura",
  too_many: "cada hora: demasiadas lecturas; acerque la vista",
  empty: "Sin valores en este intervalo",
  no_fields: "No hay ningún campo elegido",
  marks_about: "! alerta, C limpieza, L lámpara sustituida; barra al pie: una operación",
  chart_label: "{unit}: {fields}, de {from} a {to}",
  no_unit: "Número",
  reading_hours: "Buscando horas de operación",
  no_hours: "Sin horas de operación en este intervalo",
};
