// Japanese texts of the area `rules`, in the words of ship's officers and of makers' panels. The
// keys are those of English.

import type { Translated } from "../area.ts";
import type { rulesWords } from "../en/rules.ts";

export const jaRules: Translated<typeof rulesWords> = {
  uv_below_limit: "処理中の UV 強度がモードの限度を下回った",
  flow_above_certified: "処理中の流量がモードの承認流量を超えた",
  bypass: "処理装置がバイパスされた（状態 BYPASS）",
  fault: "処理装置の故障中に水が流れていた（状態 FAULT）",
  no_readings: "通常の間隔の 5 倍を超えて計測値がなかった",
  hidden_readings: "無効化により計測値が隠されている",
  no_intensity: "処理中の UV 強度を示す計測値がなかった",
  no_mode: "モードが不明で、値は一方のモードの限度内にのみある",
  not_treating: "水が処理されたことを示す計測値が運転全体にない",
  no_start: "PROCESS_START が送られていない：最初の計測値を開始とした",
  no_stop: "PROCESS_STOP が送られていない：計測値または次の開始を終了とした",
  never_ended: "終了を示すものがない：運転中に計測値が途絶えた",
  overlaps: "同時に別の運転が行われていた",
  crosses_month: "ある月に始まり翌月以降に終わった（UTC）",
  clock_stepped: "運転中に時計が変更された",
  clock_untrusted: "PC の時計が信頼されない間に計測値が届いた",
  volume_differs: "積算計と流量の積分が 2 % を超えて異なる",
  totaliser_reset: "運転中に積算計の値が下がった",
  readings_hidden: "無効化により計測値の一部が隠されている",
  readings_expired: "元の計測値は保存期限切れ：証明済みだが再計算できない",
  damaged: "ディスク上で損傷している：ここにあること以外は分からない",
  withdrawn: "後から届いたデータでは、この運転はなかった",
};
