// Spanish texts of the area `rules`, in the words of ship's officers and of makers' panels. The
// keys are those of English.

import type { Translated } from "../area.ts";
import type { rulesWords } from "../en/rules.ts";

export const esRules: Translated<typeof rulesWords> = {
  uv_below_limit: "la intensidad UV estuvo por debajo del límite del modo mientras se trataba agua",
  flow_above_certified:
    "el caudal estuvo por encima del certificado para el modo mientras se trataba agua",
  bypass: "el sistema de tratamiento estuvo en bypass (estado BYPASS)",
  fault: "circuló agua con el sistema de tratamiento averiado (estado FAULT)",
  no_readings: "no llegó ninguna lectura durante más de 5 veces el intervalo habitual",
  hidden_readings: "una anulación oculta las lecturas",
  no_intensity: "se trataba agua y ninguna lectura dio la intensidad UV",
  no_mode: "no se comunicó el modo, y el valor está dentro del límite de un solo modo",
  not_treating: "ninguna lectura de toda la operación dice que se tratara agua",
  no_start: "no se envió su PROCESS_START: la primera lectura marca el inicio",
  no_stop: "no se envió su PROCESS_STOP: las lecturas o el inicio siguiente marcan el fin",
  never_ended: "nada indica su fin: las lecturas cesaron mientras estaba en curso",
  overlaps: "otra operación estaba en curso al mismo tiempo",
  crosses_month: "empezó en un mes y terminó en otro (UTC)",
  clock_stepped: "se ajustó un reloj mientras estaba en curso",
  clock_untrusted: "llegaron lecturas mientras el reloj del PC no era fiable",
  volume_differs: "el totalizador y el caudal integrado difieren en más del 2 %",
  totaliser_reset: "el totalizador bajó mientras estaba en curso",
  readings_hidden: "una anulación oculta lecturas suyas",
  readings_expired: "sus lecturas han caducado: está probada y no se puede recalcular",
  damaged: "está dañada en el disco: de lo guardado solo se conoce lo que figura aquí",
  withdrawn: "según datos que llegaron después, no hubo tal operación",
  warmup_stopping: "circuló agua demasiado tiempo en el estado WARMUP o STOPPING",
  untreated: "circuló agua en un estado en que no se trata (IDLE, STOPPED, STANDBY, CIP)",
  uv_below_once:
    "una sola lectura estuvo por debajo del límite UV y vale por más tiempo del permitido",
  flow_above_once:
    "una sola lectura estuvo por encima del caudal certificado y vale por más tiempo del permitido",
  untreated_once:
    "una sola lectura, o un totalizador tras un hueco, dice que circuló agua sin tratar por más tiempo del permitido",
  unknown_state: "circuló agua en un estado cuya palabra no se conoce",
  no_flow: "no se comunicó ni un caudal plausible ni un totalizador",
  no_state: "circuló agua y no se comunicó el estado del sistema",
  uv_frozen:
    "la intensidad UV fue idéntica hasta el último dígito durante 30 min mientras otros valores variaban",
  flow_frozen:
    "el caudal fue idéntico hasta el último dígito durante 30 min mientras otros valores variaban",
  light_without_lamps:
    "la intensidad UV estuvo dentro de su límite con todas las lámparas apagadas, o sin potencia",
  flow_contradicted: "caudal y totalizador se contradicen en más del 10 %",
  trickle:
    "el agua circuló con demasiada lentitud para ser juzgada: 2 % del caudal certificado o menos",
  contradicted: "dos mensajes de la misma hora se contradicen y nada dice cuál es correcto",
  readings_contradicted:
    "hay mensajes de la misma hora que se contradicen: los posteriores están en cuarentena",
  volume_unclear: "totalizador y caudal se contradicen: no se puede saber el volumen",
  totaliser_odd: "se omiten valores aislados y anómalos del totalizador",
  totaliser_stands: "el totalizador quedó parado mientras circulaba agua",
  implausible_values: "llegaron valores imposibles o de mala calidad: cuentan como no comunicados",
  sensor_frozen: "un sensor quedó fijo hasta el último dígito mientras otros variaban",
  sensor_contradicted: "hay sensores que se contradicen",
};
