// Portuguese texts of ballastd's own alerts, in the words of ship's officers and of makers' panels.
// The keys are those of English.

import type { Translated } from "../area.ts";
import type { alertCodesWords } from "../en/alert-codes.ts";

const GOVERN = "prevalecem os alarmes do próprio sistema de tratamento";

export const ptAlertCodes: Translated<typeof alertCodesWords> = {
  UV_BELOW_LIMIT:
    "Está a tratar-se água e a intensidade UV está abaixo do limite do modo de conformidade.",
  "UV_BELOW_LIMIT.action": `Reduza o caudal e verifique as lâmpadas, as mangas de quartzo e a água; ${GOVERN}.`,
  FLOW_ABOVE_CERTIFIED: "O caudal excede o certificado.",
  "FLOW_ABOVE_CERTIFIED.action":
    "Reduza o caudal: acima desse valor o tratamento não é o certificado.",
  WATER_UNTREATED:
    "Move-se água enquanto o sistema de tratamento está num estado em que não trata.",
  "WATER_UNTREATED.action":
    "Feche a válvula ou pare a bomba, e veja porque não trata; valem os alarmes do próprio sistema de tratamento.",
  FILTER_DP_HIGH:
    "A pressão diferencial do filtro excede o seu primeiro limite, fora do deslastro.",
  "FILTER_DP_HIGH.action": `Verifique a contralavagem e o filtro; ${GOVERN}.`,
  FILTER_DP_ALARM:
    "A pressão diferencial do filtro excede o seu segundo limite, fora do deslastro.",
  "FILTER_DP_ALARM.action": `Reduza o caudal e limpe o filtro; ${GOVERN}.`,
  CABINET_HOT: "O ar do armário das lâmpadas está acima do seu primeiro limite.",
  "CABINET_HOT.action": "Verifique o ventilador do armário, os filtros e a água de refrigeração.",
  CABINET_TRIP: "O ar do armário das lâmpadas está acima do seu segundo limite.",
  "CABINET_TRIP.action": `Conte com o disparo da planta e verifique já a refrigeração do armário; ${GOVERN}.`,
  LAMP_FAILED: "O estado de uma lâmpada é FAILED.",
  "LAMP_FAILED.action":
    "Substitua a lâmpada ou verifique a sua alimentação; depois indique ao ballastd a lâmpada nova.",
  LAMP_NEAR_END: "O mais provável é que uma lâmpada chegue ao fim dentro do horizonte da previsão.",
  "LAMP_NEAR_END.action": "Tenha uma lâmpada sobressalente a bordo e planeie a substituição.",
  CIP_DUE: "Desde a última limpeza CIP passou mais do que o seu intervalo.",
  "CIP_DUE.action": "Faça a limpeza CIP do reator conforme o manual do fabricante.",
  SENSOR_IMPLAUSIBLE:
    "Chega um valor impossível: um cabo partido ou uma escala errada. É guardado, mas não conta para os resultados.",
  "SENSOR_IMPLAUSIBLE.action":
    "Verifique o sensor, o cabo e a carta, e a escala no PLC. Se o valor puder estar certo, indique a faixa do sensor na configuração.",
  SENSOR_BAD_QUALITY:
    "A origem marca valores como de má qualidade. São guardados, mas não contam para os resultados.",
  "SENSOR_BAD_QUALITY.action":
    "Verifique a ligação entre o gateway e o PLC, e os sensores indicados.",
  NO_DATA: "Não chegam leituras, embora haja uma operação em curso.",
  "NO_DATA.action":
    "Veja se o PLC funciona e se o cabo está ligado; /readyz diz há quanto tempo chegaram leituras.",
  PLC_LINK_LOST: "A ligação de um PLC caiu sem despedida: chegou o seu last will.",
  "PLC_LINK_LOST.action": "Como em NO_DATA. O alerta termina quando esse PLC voltar a ligar-se.",
  BROKER_LOST:
    "Não se podem receber mensagens: o broker do navio não responde, ou falta o endereço de um broker.",
  "BROKER_LOST.action": "Leia o motivo em /readyz; o ballastd tenta de novo por si.",
  CLOCK_NOT_TRUSTED:
    "O relógio do PC não pode estar certo. As leituras são guardadas e assinaladas.",
  "CLOCK_NOT_TRUSTED.action": "Acerte o relógio do PC por UTC.",
  READINGS_AHEAD:
    "A leitura mais recente é posterior a um relógio fiável. Entretanto nenhuma leitura expira.",
  "READINGS_AHEAD.action": "Acerte o relógio do PLC e depois oculte essas leituras.",
  PLC_CLOCK_WRONG:
    "Os relógios do PLC e deste computador diferem em mais de cinco minutos. O que chegou por último é mostrado como atual.",
  "PLC_CLOCK_WRONG.action":
    "Acerte em UTC o relógio que estiver errado; se o PLC usa a hora do navio, configure mqtt.plc_utc_offset.",
  MESSAGES_QUARANTINED:
    "As mensagens que chegam ficam em quarentena. São guardadas, mas nenhum resultado as inclui.",
  "MESSAGES_QUARANTINED.action":
    "Corrija o que o texto do alerta indica e depois incorpore as mensagens na página Sistema.",
  PLANT_ALARM_QUARANTINED: "Chegou um alarme do sistema de tratamento numa mensagem em quarentena.",
  "PLANT_ALARM_QUARANTINED.action":
    "Veja o painel do sistema e o motivo da quarentena; prevalecem os alarmes do próprio sistema.",
  QUARANTINE_FULL:
    "A quarentena está mais de 80 % cheia. Acima do limite ela não guarda o conteúdo.",
  "QUARANTINE_FULL.action":
    "Corrija o que a enche, incorpore as mensagens ou aumente quarantine.max_bytes.",
  DATA_DAMAGED: "Há dados guardados danificados. Ficam fora das respostas; tudo o resto continua.",
  "DATA_DAMAGED.action": "Escreva ballastd\u00a0check num terminal do PC.",
  DISK_LOW: "Há pouco espaço livre em disco.",
  "DISK_LOW.action": "Liberte espaço no sistema de ficheiros da pasta de dados.",
  CERTIFICATE_ENDS: "Um certificado TLS caducou, caduca dentro de 30 dias ou não pode ser lido.",
  "CERTIFICATE_ENDS.action": "Peça um novo e copie-o sobre o antigo; o ballastd adota-o por si.",
  SHORE_BEHIND: "Terra não responde há mais de shore.alarm_hours. Tudo fica guardado a bordo.",
  "SHORE_BEHIND.action":
    "Veja a ligação do navio à internet; ballastd\u00a0shore\u00a0status diz o motivo.",
  SHORE_REFUSED: "Terra recusa a chave do navio ou algo do que foi enviado.",
  "SHORE_REFUSED.action":
    "Diga ao escritório o que mostra ballastd\u00a0shore\u00a0status; tudo o resto continua.",
  SHORE_FORK:
    "Terra tem dados deste navio que este computador não tem: foi reposto de uma cópia, ou outro computador usa a chave do navio. Ambos os ramos ficam em terra.",
  "SHORE_FORK.action":
    "Avise o escritório; se outro computador está em uso, retire-o ou dê a cada um a sua chave.",
  HISTORY_REPLACED:
    "Os dados guardados não são os que foram assinados aqui antes: foram repostos de uma cópia, copiados ou reescritos. Podem faltar operações.",
  "HISTORY_REPLACED.action":
    "Descubra quem os substituiu e porquê, anote-o e compare com o escritório e com o impresso.",
  LAMP_COUNTERS_FAST:
    "Os contadores das lâmpadas andam mais depressa do que o relógio. As previsões dividem-nos ou param.",
  "LAMP_COUNTERS_FAST.action": "Ponha o fator correto no mapa.",
  TAG_NAMES_FULL:
    "Guardam-se 4096 nomes de sinais desconhecidos; os seguintes vão para quarentena.",
  "TAG_NAMES_FULL.action": 'Dê nomes fixos aos sinais do PLC, ou ponha map.unmapped = "drop".',
  JOB_FAILING: "Falha um trabalho em segundo plano.",
  "JOB_FAILING.action": "Escreva ballastd\u00a0check num terminal do PC.",
  "PLANT.action": "Veja o painel do sistema de tratamento: o alarme dele prevalece e permanece lá.",
  "OTHER.action": "Escreva ballastd\u00a0check num terminal do PC.",
};
