// Spanish texts of ballastd's own alerts, in the words of ship's officers and of makers' panels. The
// keys are those of English.

import type { Translated } from "../area.ts";
import type { alertCodesWords } from "../en/alert-codes.ts";

const GOVERN = "mandan las alarmas del propio sistema de tratamiento";

export const esAlertCodes: Translated<typeof alertCodesWords> = {
  UV_BELOW_LIMIT:
    "Se está tratando agua y la intensidad UV está por debajo del límite del modo de cumplimiento.",
  "UV_BELOW_LIMIT.action": `Reduzca el caudal y revise lámparas, camisas de cuarzo y el agua; ${GOVERN}.`,
  FLOW_ABOVE_CERTIFIED: "El caudal supera el certificado.",
  "FLOW_ABOVE_CERTIFIED.action":
    "Reduzca el caudal: por encima de ese valor el tratamiento no es el certificado.",
  WATER_UNTREATED:
    "Se mueve agua mientras el sistema de tratamiento está en un estado en que no trata.",
  "WATER_UNTREATED.action":
    "Cierre la válvula o pare la bomba, y mire por qué no trata; rigen las alarmas del propio sistema de tratamiento.",
  FILTER_DP_HIGH:
    "La presión diferencial del filtro supera su primer límite, fuera del deslastrado.",
  "FILTER_DP_HIGH.action": `Revise el contralavado y el filtro; ${GOVERN}.`,
  FILTER_DP_ALARM:
    "La presión diferencial del filtro supera su segundo límite, fuera del deslastrado.",
  "FILTER_DP_ALARM.action": `Reduzca el caudal y limpie el filtro; ${GOVERN}.`,
  CABINET_HOT: "El aire del armario de lámparas está por encima de su primer límite.",
  "CABINET_HOT.action": "Revise el ventilador del armario, sus filtros y su agua de refrigeración.",
  CABINET_TRIP: "El aire del armario de lámparas está por encima de su segundo límite.",
  "CABINET_TRIP.action": `Cuente con un disparo de la planta y revise ya la refrigeración del armario; ${GOVERN}.`,
  LAMP_FAILED: "El estado de una lámpara es FAILED.",
  "LAMP_FAILED.action":
    "Cambie la lámpara o revise su alimentación; después indique a ballastd la lámpara nueva.",
  LAMP_NEAR_END: "Lo más probable es que una lámpara se agote dentro del horizonte del pronóstico.",
  "LAMP_NEAR_END.action": "Tenga una lámpara de respeto a bordo y planifique el cambio.",
  CIP_DUE: "Desde la última limpieza CIP ha pasado más que su intervalo.",
  "CIP_DUE.action": "Haga la limpieza CIP del reactor según el manual de su fabricante.",
  SENSOR_IMPLAUSIBLE:
    "Llega un valor imposible: un cable roto o una escala errónea. Se guarda, pero no cuenta para los resultados.",
  "SENSOR_IMPLAUSIBLE.action":
    "Revise el sensor, su cable y su tarjeta, y la escala en el PLC. Si el valor puede ser correcto, indique el rango del sensor en la configuración.",
  SENSOR_BAD_QUALITY:
    "El origen marca valores como de mala calidad. Se guardan, pero no cuentan para los resultados.",
  "SENSOR_BAD_QUALITY.action":
    "Revise el enlace entre la pasarela y el PLC, y los sensores indicados.",
  NO_DATA: "No llegan lecturas, aunque hay una operación en curso.",
  "NO_DATA.action":
    "Compruebe que el PLC funciona y que su cable está conectado; /readyz indica cuándo llegaron las últimas lecturas.",
  PLC_LINK_LOST: "La conexión de un PLC se cortó sin despedida: llegó su last will.",
  "PLC_LINK_LOST.action": "Como con NO_DATA. La alerta termina cuando ese PLC vuelve a conectarse.",
  BROKER_LOST:
    "No se pueden recibir mensajes: no se alcanza el broker del buque, o falta la dirección de un broker.",
  "BROKER_LOST.action": "Lea el motivo en /readyz; ballastd vuelve a intentarlo por sí mismo.",
  CLOCK_NOT_TRUSTED: "El reloj del PC no puede ser correcto. Las lecturas se guardan y se marcan.",
  "CLOCK_NOT_TRUSTED.action": "Ponga el reloj del PC en hora UTC.",
  READINGS_AHEAD:
    "La lectura más reciente es posterior a un reloj fiable. Mientras tanto no caduca ninguna lectura.",
  "READINGS_AHEAD.action": "Ponga en hora el reloj del PLC y oculte después esas lecturas.",
  PLC_CLOCK_WRONG:
    "Los relojes del PLC y de este equipo difieren en más de cinco minutos. Se muestra como actual lo último que llegó.",
  "PLC_CLOCK_WRONG.action":
    "Ponga en UTC el reloj que esté mal; si el PLC usa la hora del buque, configure mqtt.plc_utc_offset.",
  MESSAGES_QUARANTINED:
    "Los mensajes que llegan quedan en cuarentena. Se guardan, pero ningún resultado los incluye.",
  "MESSAGES_QUARANTINED.action":
    "Corrija lo que indica el texto de la alerta e incorpore después los mensajes en la página Sistema.",
  PLANT_ALARM_QUARANTINED: "Llegó una alarma de la planta en un mensaje que está en cuarentena.",
  "PLANT_ALARM_QUARANTINED.action":
    "Mire el panel de la planta y el motivo de la cuarentena; rigen las alarmas de la propia planta.",
  QUARANTINE_FULL:
    "La cuarentena está llena en más del 80 %. Pasado su límite no guarda el contenido.",
  "QUARANTINE_FULL.action":
    "Corrija lo que la llena, incorpore los mensajes o aumente quarantine.max_bytes.",
  DATA_DAMAGED: "Hay datos guardados dañados. Se omiten en las respuestas; todo lo demás sigue.",
  "DATA_DAMAGED.action": "Escriba ballastd\u00a0check en un terminal del PC.",
  DISK_LOW: "Queda poco espacio libre en disco.",
  "DISK_LOW.action": "Libere espacio en el sistema de archivos de la carpeta de datos.",
  CERTIFICATE_ENDS: "Un certificado TLS ha caducado, caduca en 30 días o no se puede leer.",
  "CERTIFICATE_ENDS.action":
    "Pida uno nuevo y cópielo sobre el antiguo; ballastd lo toma por sí mismo.",
  SHORE_BEHIND: "Tierra no responde desde hace más de shore.alarm_hours. Todo se guarda a bordo.",
  "SHORE_BEHIND.action":
    "Revise el enlace del buque a internet; ballastd\u00a0shore\u00a0status dice el motivo.",
  SHORE_REFUSED: "Tierra rechaza la clave del buque o algo de lo enviado.",
  "SHORE_REFUSED.action":
    "Diga a la oficina lo que muestra ballastd\u00a0shore\u00a0status; todo lo demás continúa.",
  SHORE_FORK:
    "Tierra tiene datos de este buque que este equipo no tiene: se restauró una copia, u otro equipo usa la clave del buque. Ambas ramas se conservan en tierra.",
  "SHORE_FORK.action":
    "Avise a la oficina; si se usa otro equipo, retírelo o dé a cada uno su clave.",
  HISTORY_REPLACED:
    "Los datos guardados no son los que se firmaron aquí antes: se restauró una copia, se copiaron o se reescribieron. Pueden faltar operaciones.",
  "HISTORY_REPLACED.action":
    "Averigüe quién los sustituyó y por qué, anótelo y compare con la oficina y con lo impreso.",
  LAMP_COUNTERS_FAST:
    "Los contadores de las lámparas avanzan más que el reloj. Los pronósticos los dividen o se detienen.",
  "LAMP_COUNTERS_FAST.action": "Ponga el factor correcto en el mapa.",
  TAG_NAMES_FULL:
    "Se guardan 4.096 nombres de señales desconocidas; los siguientes van a cuarentena.",
  "TAG_NAMES_FULL.action": 'Dé nombres fijos a las señales del PLC, o ponga map.unmapped = "drop".',
  JOB_FAILING: "Falla un trabajo en segundo plano.",
  "JOB_FAILING.action": "Escriba ballastd\u00a0check en un terminal del PC.",
  "PLANT.action": "Mire el panel del sistema de tratamiento: su alarma manda y permanece allí.",
  "OTHER.action": "Escriba ballastd\u00a0check en un terminal del PC.",
};
