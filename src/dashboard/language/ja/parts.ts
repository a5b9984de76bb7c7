// Japanese texts of the area `parts`, in the words of ship's officers and of makers' panels. The
// keys are those of English.

import type { Translated } from "../area.ts";
import type { partsWords } from "../en/parts.ts";

export const jaParts: Translated<typeof partsWords> = {
  of_rated: "%（定格比）",
  yes: "はい",
  no: "いいえ",
  seconds: "{n} 秒",
  minutes: "{n} 分",
  hours: "{n} 時間",
  days: { other: "{n} 日" },
  utc: "UTC",
  ship_time: "船内時 UTC{offset}",
  silent: "{path} から応答がありません",
  odd: "{path} から予期しない応答がありました",
  refused: "{path}: {status}、{message}",
  no_reason: "理由の記載なし",
  broken: "このページのこの部分で障害が発生しました: {message}",
  again: "再試行",
  loading: "ballastd に問い合わせ中",
  whole_text: "全文",
  odd_parameter: "このアドレスには、このページで使えない項目があります: {names}",
  engineer_token: "機関士（engineer）または保守担当（maintainer）のトークンが必要です。",
  engineer_continue: "続ける",
  engineer_kept: "このページだけが保持し、15 分間操作がないと破棄します。",
  act_refused: "ballastd が拒否しました:",
  act_silent: "ballastd から応答がありません。再試行の前に、実行済みかどうか確認してください。",
  lamp: "ランプ {lamp}",
  limit: "限界値 {limit}",
  value_limit: "{value}、限界値 {limit}",
  value_limit_source: "{value}、限界値 {limit}（{source}）",
  default_source: "既定値です。型式承認証書の値に置き換えてください",
  last_known: "最後に分かった状態: {headline}",
  counters_fast:
    "PLC のランプ時間計は {n} 倍速く進んでいます。トレンドと書き出しは受信したままの値、その他のランプ時間は {n} で割った値です。",
  counters_unknown:
    "PLC のランプ時間計が時計より速く進んでいますが、単純な倍率ではありません。値は時間ではありません。ランプ寿命の予測は停止中です。",
};
