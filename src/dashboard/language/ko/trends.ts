// Korean texts of the area `trends`, in the words of ship's officers and of makers' panels. The
// keys are those of English.

import type { Translated } from "../area.ts";
import type { trendsWords } from "../en/trends.ts";

export const koTrends: Translated<typeof trendsWords> = {
  title: "추세",
  day: "24시간",
  week: "7일",
  month: "30일",
  year: "12개월",
  two_years: "24개월",
  operation: "이번 운전",
  from: "시작",
  to: "끝",
  follow: "새 측정값 따라가기",
  state: "상태",
  states_closer: "상태는 36시간 이하 범위에서 표시됩니다. 확대하세요",
  add: "항목 추가",
  remove: "삭제: {field}",
  lamp_field: "램프 {n}: {field}",
  compare: "겹쳐 보기",
  compare_none: "없음",
  compare_before: "직전 기간",
  compare_year: "1년 전",
  compare_own: "{day}부터",
  earlier: "{field}, {day}부터",
  axis: "가로축",
  calendar: "달력",
  hours: "운전 시간(휴지 생략)",
  table: "표",
  whole_days: "일별 평균·최소·최대",
  whole_hours: "시간별 평균·최소·최대",
  readings: "각 측정값",
  too_many: "시간별: 측정값이 너무 많습니다. 확대하십시오",
  empty: "이 기간에 값이 없습니다",
  no_fields: "선택한 항목이 없습니다",
  marks_about: "! 경보, C 세척, L 램프 교체, 아래 띠: 운전",
  chart_label: "{unit}: {fields}, {from} ~ {to}",
  no_unit: "숫자",
  reading_hours: "운전 시간을 찾는 중",
  no_hours: "이 기간에 운전 시간이 없습니다",
};
