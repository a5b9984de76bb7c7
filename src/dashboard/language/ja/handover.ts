// Japanese texts of the area `handover`, in the words of ship's officers and of makers' panels. The
// keys are those of English.

import type { Translated } from "../area.ts";
import type { handoverWords } from "../en/handover.ts";

export const jaHandover: Translated<typeof handoverWords> = {
  title: "当直引継ぎ",
  since: "変化の起点",
  last_look: "このブラウザで前回見た時",
  hours_ago: { other: "{n} 時間前" },
  print: "印刷",
  range: "{from} から {to} まで",
  asking: "ballastd に問い合わせ中",
  nothing: "変化はありません。",
  operations: "運転",
  alerts: "アラート",
  lamps: "ランプ",
  condition: "装置の状態",
  cleanings: "洗浄",
  data: "データと時計",
  operation: "運転",
  started: "{moment}: {type} 開始。",
  started_at: "{moment}: {type} 開始、{location}。",
  ended: "{moment}: {type} 終了。",
  ended_at: "{moment}: {type} 終了、{location}。",
  rose: "{moment}: {priority} {name}。{about}",
  rose_again: { other: "{moment}: {priority} {name}、{n} 回目。{about}" },
  over: "{moment}: {name} が復旧。",
  acknowledged: "{moment}: {name} を {by} が確認。",
  replaced: "{moment}: ランプ {lamp} を交換。",
  health: "健全性: {to}（100 点満点）。",
  health_changed: "健全性: {from} から {to} へ（100 点満点）。",
  intensity: "処理中の UV 強度: {from} から {to} へ。",
  gap: "{moment}: 運転中に {age} の間、計測値なし。",
  gap_lasts: "{moment}: 運転中、以後 {age} 計測値なし。",
  plc_back: "{moment}: PLC の時計が {age} 戻された。",
  plc_forward: "{moment}: PLC の時計が {age} 進められた。",
  box_back: "{moment}: PC の時計が {age} 戻された。",
  box_forward: "{moment}: PC の時計が {age} 進められた。",
};
