// Japanese texts of the area `chart`, in the words of ship's officers and of makers' panels. The
// keys are those of English.

import type { Translated } from "../area.ts";
import type { chartWords } from "../en/chart.ts";

export const jaChart: Translated<typeof chartWords> = {
  no_cursor: "曲線を指すと値が読め、クリックで固定できます",
  band: "{value}（{min} ～ {max}）",
  readings: "この時間の計測値: {n} 件。最初のものの証拠を開けます。",
  in_trends: "トレンドで見る",
  operation: "運転",
  alert: "警報",
  cleaning: "洗浄",
  replacement: "ランプ交換",
  outside_limits: "限度外",
  cannot_tell: "判定不能",
  time: "時刻（{clock}）",
  value: "値",
  mean: "平均",
  least: "最小",
  greatest: "最大",
  rows: { other: "{n} 行" },
  earlier: "前の行",
  later: "次の行",
  page: "{pages} ページ中 {page}",
  key_back: "曲線：過去へ",
  key_on: "曲線：未来へ",
  key_in: "曲線：拡大",
  key_out: "曲線：縮小",
  key_cursor_back: "カーソル：戻る",
  key_cursor_on: "カーソル：進む",
};
