// Portuguese texts of the area `parts`, in the words of ship's officers and of makers' panels. The
// keys are those of English.

import type { Translated } from "../area.ts";
import type { partsWords } from "../en/parts.ts";

export const ptParts: Translated<typeof partsWords> = {
  of_rated: "% da nominal",
  yes: "sim",
  no: "não",
  seconds: "{n} s",
  minutes: "{n} min",
  hours: "{n} h",
  days: { one: "{n} dia", other: "{n} dias" },
  utc: "UTC",
  ship_time: "hora de bordo UTC{offset}",
  silent: "sem resposta de {path}",
  odd: "resposta inesperada de {path}",
  refused: "{path}: {status}, {message}",
  no_reason: "sem motivo indicado",
  broken: "Esta parte da página falhou: {message}",
  again: "Tentar de novo",
  loading: "A consultar o ballastd",
  whole_text: "Texto completo",
  odd_parameter: "Este endereço contém algo que a página não conhece: {names}",
  engineer_token:
    "Isto precisa do token de um maquinista (engineer) ou da manutenção (maintainer).",
  engineer_continue: "Continuar",
  engineer_kept: "Fica só nesta página e é esquecido após 15 minutos sem toque nem tecla.",
  act_refused: "O ballastd recusou:",
  act_silent: "O ballastd não respondeu: veja se foi feito antes de tentar de novo.",
  lamp: "Lâmpada {lamp}",
  limit: "limite {limit}",
  value_limit: "{value}, limite {limit}",
  value_limit_source: "{value}, limite {limit} ({source})",
  default_source: "valor padrão, substitua-o pelo do certificado de aprovação de tipo",
  last_known: "Último estado conhecido: {headline}",
  counters_fast:
    "Os contadores de horas das lâmpadas do PLC andam {n} vezes depressa demais. As tendências e exportações mostram-nos como chegaram; as outras horas de lâmpadas são divididas por {n}.",
  counters_unknown:
    "Os contadores de horas das lâmpadas do PLC andam mais depressa do que o relógio, sem um fator simples: não mostram horas. As previsões de vida estão suspensas.",
};
