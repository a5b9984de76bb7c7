// Korean texts of the area `chart`, in the words of ship's officers and of makers' panels. The
// keys are those of English.

import type { Translated } from "../area.ts";
import type { chartWords } from "../en/chart.ts";

export const koChart: Translated<typeof chartWords> = {
  no_cursor: "곡선을 가리키면 값이 표시되고, 클릭하면 고정됩니다",
  band: "{value} ({min} ~ {max})",
  readings: "이 시간의 측정값: {n}건. 처음 것들의 근거를 엽니다.",
  in_trends: "추세에서 보기",
  operation: "운전",
  alert: "경보",
  cleaning: "세척",
  replacement: "램프 교체",
  outside_limits: "한도 벗어남",
  cannot_tell: "판정 불가",
  time: "시각, {clock}",
  value: "값",
  mean: "평균",
  least: "최소",
  greatest: "최대",
  rows: { other: "{n}행" },
  earlier: "이전 행",
  later: "다음 행",
  page: "{pages}쪽 중 {page}쪽",
  key_back: "곡선: 이전 시간으로",
  key_on: "곡선: 이후 시간으로",
  key_in: "곡선: 확대",
  key_out: "곡선: 축소",
  key_cursor_back: "커서: 뒤로",
  key_cursor_on: "커서: 앞으로",
};
