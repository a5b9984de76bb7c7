// Japanese texts of the area `trends`, in the words of ship's officers and of makers' panels. The
// keys are those of English.

import type { Translated } from "../area.ts";
import type { trendsWords } from "../en/trends.ts";

export const jaTrends: Translated<typeof trendsWords> = {
  title: "トレンド",
  day: "24 時間",
  week: "7 日",
  month: "30 日",
  year: "12 か月",
  two_years: "24 か月",
  operation: "今回の運転",
  from: "開始",
  to: "終了",
  follow: "新しい計測値を追う",
  state: "状態",
  states_closer: "状態は 36 時間以内の範囲で表示されます。拡大してください",
  add: "項目を追加",
  remove: "削除：{field}",
  lamp_field: "ランプ {n}：{field}",
  compare: "重ねる期間",
  compare_none: "なし",
  compare_before: "直前の期間",
  compare_year: "1 年前",
  compare_own: "{day} から",
  earlier: "{field}（{day} から）",
  axis: "横軸",
  calendar: "暦",
  hours: "運転時間（休止を省く）",
  table: "表",
  whole_days: "日ごとの平均・最小・最大",
  whole_hours: "時間ごとの平均・最小・最大",
  readings: "各測定値",
  too_many: "時間ごと：測定値が多すぎます。拡大してください",
  empty: "この期間に値はありません",
  no_fields: "項目が選ばれていません",
  marks_about: "!：警報、C：洗浄、L：ランプ交換、下の帯：運転",
  chart_label: "{unit}：{fields}、{from} ～ {to}",
  no_unit: "数値",
  reading_hours: "運転時間を調べています",
  no_hours: "この期間に運転時間はありません",
};
