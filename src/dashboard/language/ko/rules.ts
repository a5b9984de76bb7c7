// Korean texts of the area `rules`, in the words of ship's officers and of makers' panels. The
// keys are those of English.

import type { Translated } from "../area.ts";
import type { rulesWords } from "../en/rules.ts";

export const koRules: Translated<typeof rulesWords> = {
  uv_below_limit: "처리 중 UV 강도가 모드의 한도보다 낮았음",
  flow_above_certified: "처리 중 유량이 모드의 승인 유량을 넘었음",
  bypass: "처리 장치가 바이패스됨 (상태 BYPASS)",
  fault: "처리 장치 고장 중에 물이 흐름 (상태 FAULT)",
  no_readings: "평소 간격의 5배가 넘도록 측정값이 없었음",
  hidden_readings: "무효 처리로 측정값이 숨겨져 있음",
  no_intensity: "처리 중 UV 강도를 알리는 측정값이 없었음",
  no_mode: "모드를 알 수 없고, 값이 한 모드의 한도에만 들어 있음",
  not_treating: "운전 전체에 물을 처리했다는 측정값이 없음",
  no_start: "PROCESS_START가 오지 않음: 첫 측정값을 시작으로 봄",
  no_stop: "PROCESS_STOP이 오지 않음: 측정값이나 다음 시작을 끝으로 봄",
  never_ended: "끝을 알리는 것이 없음: 운전 중에 측정값이 끊김",
  overlaps: "같은 시간에 다른 운전이 진행됨",
  crosses_month: "한 달에 시작하여 다른 달에 끝남 (UTC)",
  clock_stepped: "운전 중에 시계가 변경됨",
  clock_untrusted: "PC 시계를 신뢰할 수 없는 동안 측정값이 옴",
  volume_differs: "적산계와 유량 적분이 2 % 넘게 다름",
  totaliser_reset: "운전 중에 적산계 값이 줄어듦",
  readings_hidden: "무효 처리로 일부 측정값이 숨겨짐",
  readings_expired: "원본 측정값은 보존 기간이 지남: 증명되었으나 다시 계산할 수 없음",
  damaged: "디스크에서 손상됨: 여기에 있는 것만 알 수 있음",
  withdrawn: "나중에 온 데이터에 따르면 그런 운전은 없었음",
};
