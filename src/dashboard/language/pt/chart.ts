// Portuguese texts of the area `chart`, in the words of ship's officers and of makers' panels. The
// keys are those of English.

import type { Translated } from "../area.ts";
import type { chartWords } from "../en/chart.ts";

export const ptChart: Translated<typeof chartWords> = {
  no_cursor: "Aponte para a curva para ler os valores; um clique os mantém",
  band: "{value} (de {min} a {max})",
  readings: "Leituras deste tempo: {n}; as primeiras, com a sua prova.",
  in_trends: "Em Tendências",
  operation: "Operação",
  alert: "Alerta",
  cleaning: "Limpeza",
  replacement: "Lâmpada substituída",
  outside_limits: "Fora dos limites",
  cannot_tell: "Não é possível determinar",
  time: "Hora, {clock}",
  value: "Valor",
  mean: "Média",
  least: "Mínimo",
  greatest: "Máximo",
  rows: { one: "{n} linha", many: "{n} de linhas", other: "{n} linhas" },
  earlier: "Linhas anteriores",
  later: "Linhas seguintes",
  page: "página {page} de {pages}",
  key_back: "curvas: voltar no tempo",
  key_on: "curvas: avançar no tempo",
  key_in: "curvas: aproximar",
  key_out: "curvas: afastar",
  key_cursor_back: "cursor: para trás",
  key_cursor_on: "cursor: para a frente",
};
