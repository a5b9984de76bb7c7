// Portuguese texts of the area `trends`, in the words of ship's officers and of makers' panels. The
// keys are those of English.

import type { Translated } from "../area.ts";
import type { trendsWords } from "../en/trends.ts";

export const ptTrends: Translated<typeof trendsWords> = {
  title: "Tendências",
  day: "24 horas",
  week: "7 dias",
  month: "30 dias",
  year: "12 meses",
  two_years: "24 meses",
  operation: "Esta operação",
  from: "De",
  to: "Até",
  follow: "Seguir as leituras novas",
  state: "Estado",
  states_closer: "Os estados são mostrados em 36 horas no máximo: aproxime",
  add: "Adicionar um campo",
  remove: "Remover: {field}",
  lamp_field: "Lâmpada {n}: {field}",
  compare: "Sobrepor",
  compare_none: "nada",
  compare_before: "o período anterior",
  compare_year: "um ano antes",
  compare_own: "de {day}",
  earlier: "{field}, de {day}",
  axis: "Eixo",
  calendar: "calendário",
  hours: "horas de operação, sem pausas",
  table: "Tabelas",
  whole_days: "cada dia: média, mínimo e máximo",
  whole_hours: "cada hora: média, mínimo e máximo",
  readings: "cada leitura",
  too_many: "cada hora: leituras demais; aproxime a vista",
  empty: "Sem valores neste período",
  no_fields: "Nenhum campo escolhido",
  marks_about: "! alerta, C limpeza, L lâmpada substituída; barra na base: uma operação",
  chart_label: "{unit}: {fields}, de {from} a {to}",
  no_unit: "Número",
  reading_hours: "Procurando horas de operação",
  no_hours: "Sem horas de operação neste período",
};
