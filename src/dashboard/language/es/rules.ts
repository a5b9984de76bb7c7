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
};
