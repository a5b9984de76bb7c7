// Portuguese texts of the area `rules`, in the words of ship's officers and of makers' panels. The
// keys are those of English.

import type { Translated } from "../area.ts";
import type { rulesWords } from "../en/rules.ts";

export const ptRules: Translated<typeof rulesWords> = {
  uv_below_limit: "a intensidade UV esteve abaixo do limite do modo enquanto se tratava água",
  flow_above_certified: "o caudal esteve acima do certificado para o modo enquanto se tratava água",
  bypass: "o sistema de tratamento esteve em bypass (estado BYPASS)",
  fault: "circulou água com o sistema de tratamento avariado (estado FAULT)",
  no_readings: "não chegou nenhuma leitura durante mais de 5 vezes o intervalo habitual",
  hidden_readings: "uma anulação oculta as leituras",
  no_intensity: "tratava-se água e nenhuma leitura deu a intensidade UV",
  no_mode: "o modo não foi comunicado, e o valor está dentro do limite de um só modo",
  not_treating: "nenhuma leitura de toda a operação diz que se tratou água",
  no_start: "o seu PROCESS_START não foi enviado: a primeira leitura marca o início",
  no_stop: "o seu PROCESS_STOP não foi enviado: as leituras ou o início seguinte marcam o fim",
  never_ended: "nada indica o seu fim: as leituras cessaram enquanto decorria",
  overlaps: "decorria outra operação ao mesmo tempo",
  crosses_month: "começou num mês e terminou noutro (UTC)",
  clock_stepped: "um relógio foi acertado enquanto decorria",
  clock_untrusted: "chegaram leituras enquanto o relógio do PC não era fiável",
  volume_differs: "o totalizador e o caudal integrado diferem em mais de 2 %",
  totaliser_reset: "o totalizador desceu enquanto decorria",
  readings_hidden: "uma anulação oculta leituras suas",
  readings_expired: "as suas leituras caducaram: está provada e não pode ser recalculada",
  damaged: "está danificada no disco: do que foi guardado só se conhece o que está aqui",
  withdrawn: "segundo dados que chegaram depois, não houve tal operação",
  warmup_stopping: "passou água por tempo demais no estado WARMUP ou STOPPING",
  untreated: "passou água num estado em que não se trata (IDLE, STOPPED, STANDBY, CIP)",
  uv_below_once:
    "uma só leitura ficou abaixo do limite de UV e vale por mais tempo que o permitido",
  flow_above_once:
    "uma só leitura ficou acima da vazão certificada e vale por mais tempo que o permitido",
  untreated_once:
    "uma só leitura, ou um totalizador após uma lacuna, diz que passou água sem tratamento por mais tempo que o permitido",
  unknown_state: "passou água num estado cuja palavra não é conhecida",
  no_flow: "não foi informada vazão plausível nem totalizador",
  no_state: "passou água e o estado do sistema não foi informado",
  uv_frozen:
    "a intensidade UV ficou idêntica até o último dígito por 30 min enquanto outros valores variavam",
  flow_frozen:
    "a vazão ficou idêntica até o último dígito por 30 min enquanto outros valores variavam",
  light_without_lamps:
    "a intensidade UV estava dentro do limite com todas as lâmpadas apagadas, ou sem potência",
  flow_contradicted: "vazão e totalizador se contradizem em mais de 10 %",
  trickle: "a água passou devagar demais para ser julgada: 2 % da vazão certificada ou menos",
  contradicted: "duas mensagens do mesmo horário se contradizem e nada diz qual está certa",
  readings_contradicted:
    "há mensagens do mesmo horário que se contradizem: as posteriores estão em quarentena",
  volume_unclear: "totalizador e vazão se contradizem: não se pode saber o volume",
  totaliser_odd: "valores isolados e anômalos do totalizador foram deixados de fora",
  totaliser_stands: "o totalizador ficou parado enquanto passava água",
  implausible_values: "chegaram valores impossíveis ou de má qualidade: contam como não informados",
  sensor_frozen: "um sensor ficou parado até o último dígito enquanto outros variavam",
  sensor_contradicted: "sensores se contradizem",
};
