// Korean texts of the area `health`, in the words of ship's officers and of makers' panels. The
// keys are those of English.

import type { Translated } from "../area.ts";
import type { healthWords } from "../en/health.ts";

export const koHealth: Translated<typeof healthWords> = {
  title: "건전성",
  about:
    "0~100점, 최신순. 처리하지 않은 시간은 채점하지 않습니다. 점수보다 증서의 한계값이 우선합니다.",
  step: "한 줄의 단위",
  quarter: "15분",
  hour: "1시간 평균",
  day: "1일 평균",
  none: "아직 점수가 없습니다.",
  overall: "종합",
  uv_health: "자외선",
  lamp_health: "램프",
  power_efficiency: "전력 효율",
  thermal_health: "온도",
  weight: "점수의 {weight} %",
  score_of: "점수: {part}",
  limits: "한도: {limits}",
  tables: "표",
  lines: "점수, 최신순",
  chart_label: "{name}, {from} ~ {to}",
};
