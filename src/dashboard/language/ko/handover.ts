// Korean texts of the area `handover`, in the words of ship's officers and of makers' panels. The
// keys are those of English.

import type { Translated } from "../area.ts";
import type { handoverWords } from "../en/handover.ts";

export const koHandover: Translated<typeof handoverWords> = {
  title: "당직 인계",
  since: "변경 사항 기준",
  last_look: "이 브라우저에서 마지막으로 본 때",
  hours_ago: { other: "{n}시간 전" },
  print: "인쇄",
  range: "{from}부터 {to}까지",
  asking: "ballastd에 조회 중",
  nothing: "변경 사항이 없습니다.",
  operations: "운전",
  alerts: "경보",
  lamps: "램프",
  condition: "장치 상태",
  cleanings: "세정",
  data: "데이터와 시계",
  operation: "운전",
  started: "{moment}: {type} 시작.",
  started_at: "{moment}: {type} 시작, {location}.",
  ended: "{moment}: {type} 종료.",
  ended_at: "{moment}: {type} 종료, {location}.",
  rose: "{moment}: {priority} {name}. {about}",
  rose_again: { other: "{moment}: {priority} {name}, {n}회째. {about}" },
  over: "{moment}: {name} 복구됨.",
  acknowledged: "{moment}: {by}이(가) {name} 확인.",
  replaced: "{moment}: 램프 {lamp} 교체됨.",
  health: "건전성: 100점 중 {to}.",
  health_changed: "건전성: 100점 중 {from}에서 {to}(으)로.",
  intensity: "처리 중 UV 강도: {from}에서 {to}(으)로.",
  gap: "{moment}: 운전 중 {age} 동안 측정값 없음.",
  gap_lasts: "{moment}: 운전 중, 이후 {age} 동안 측정값 없음.",
  plc_back: "{moment}: PLC 시계가 {age} 뒤로 설정됨.",
  plc_forward: "{moment}: PLC 시계가 {age} 앞으로 설정됨.",
  box_back: "{moment}: PC 시계가 {age} 뒤로 설정됨.",
  box_forward: "{moment}: PC 시계가 {age} 앞으로 설정됨.",
};
