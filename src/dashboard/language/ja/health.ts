// Japanese texts of the area `health`, in the words of ship's officers and of makers' panels. The
// keys are those of English.

import type { Translated } from "../area.ts";
import type { healthWords } from "../en/health.ts";

export const jaHealth: Translated<typeof healthWords> = {
  title: "健全性",
  about:
    "0～100 点、新しい順。処理していない時間は採点されません。点数より証書の限界値が優先します。",
  step: "1 行の単位",
  quarter: "15 分",
  hour: "1 時間の平均",
  day: "1 日の平均",
  none: "まだ点数がありません。",
  overall: "総合",
  uv_health: "紫外線",
  lamp_health: "ランプ",
  power_efficiency: "電力効率",
  thermal_health: "温度",
  weight: "スコアの {weight} %",
  score_of: "スコア: {part}",
  limits: "限度: {limits}",
  tables: "表",
  lines: "スコア、新しい順",
  chart_label: "{name}、{from} から {to}",
};
