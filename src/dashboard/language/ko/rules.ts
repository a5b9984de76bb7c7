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
  warmup_stopping: "WARMUP 또는 STOPPING 상태에서 물이 허용 시간보다 오래 흘렀습니다",
  untreated: "처리하지 않는 상태(IDLE, STOPPED, STANDBY, CIP)에서 물이 흘렀습니다",
  uv_below_once: "측정값 하나가 UV 한도보다 낮았고, 그 값이 대표하는 시간이 허용 시간보다 깁니다",
  flow_above_once:
    "측정값 하나가 인증 유량보다 높았고, 그 값이 대표하는 시간이 허용 시간보다 깁니다",
  untreated_once:
    "측정값 하나 또는 공백 사이의 적산계가 허용 시간보다 긴 미처리 물의 흐름을 나타냅니다",
  unknown_state: "알 수 없는 단어의 상태에서 물이 흘렀습니다",
  no_flow: "타당한 유량도 적산계 값도 전달되지 않았습니다",
  no_state: "물이 흘렀으나 처리 장치의 상태가 전달되지 않았습니다",
  uv_frozen: "다른 값이 변하는 동안 UV 강도가 30분간 마지막 자리까지 같았습니다",
  flow_frozen: "다른 값이 변하는 동안 유량이 30분간 마지막 자리까지 같았습니다",
  light_without_lamps: "모든 램프가 꺼졌거나 전력이 없는데 UV 강도가 한도 이내였습니다",
  flow_contradicted: "유량과 적산계가 10 % 넘게 서로 모순됩니다",
  trickle: "물이 판정하기에 너무 느리게 움직였습니다(인증 유량의 2 % 이하)",
  contradicted: "같은 시각의 두 메시지가 서로 모순되며, 어느 쪽이 옳은지 알 수 없습니다",
  readings_contradicted: "같은 시각의 메시지들이 서로 모순됩니다. 나중에 온 것은 격리되어 있습니다",
  volume_unclear: "적산계와 유량이 서로 모순되어 수량을 알 수 없습니다",
  totaliser_odd: "적산계의 이상한 단일 값은 제외되었습니다",
  totaliser_stands: "물이 흐르는 동안 적산계가 멈춰 있었습니다",
  implausible_values: "있을 수 없는 값이나 품질이 나쁜 값이 왔으며, 전달되지 않은 것으로 봅니다",
  sensor_frozen: "다른 센서가 변하는 동안 한 센서가 마지막 자리까지 같았습니다",
  sensor_contradicted: "센서들이 서로 모순됩니다",
};
