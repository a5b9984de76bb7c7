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
  warmup_stopping: "WARMUPまたはSTOPPINGの状態で、水が許容時間を超えて流れました",
  untreated: "処理しない状態(IDLE、STOPPED、STANDBY、CIP)で水が流れました",
  uv_below_once: "1件の測定値がUV限度を下回り、それが代表する時間は許容時間を超えます",
  flow_above_once: "1件の測定値が認証流量を上回り、それが代表する時間は許容時間を超えます",
  untreated_once:
    "1件の測定値、または欠測の前後の積算値が、許容時間を超える未処理の水の流れを示しています",
  unknown_state: "不明な語の状態で水が流れました",
  no_flow: "妥当な流量も積算計の値も伝えられませんでした",
  no_state: "水が流れましたが、処理装置の状態が伝えられませんでした",
  uv_frozen: "他の値が動く間、UV強度が30分間、最後の桁まで同じでした",
  flow_frozen: "他の値が動く間、流量が30分間、最後の桁まで同じでした",
  light_without_lamps: "全ランプ消灯または電力なしで、UV強度が限度内でした",
  flow_contradicted: "流量と積算計が10 %を超えて矛盾しています",
  trickle: "水の動きが判定するには遅すぎました（認証流量の2 %以下）",
  contradicted: "同じ時刻の二つのメッセージが矛盾し、どちらが正しいか分かりません",
  readings_contradicted: "同じ時刻のメッセージが矛盾しています。後から来たものは隔離されています",
  volume_unclear: "積算計と流量が矛盾し、水量は判定できません",
  totaliser_odd: "積算計の単発の異常値は除外されています",
  totaliser_stands: "水が流れる間、積算計が止まっていました",
  implausible_values:
    "あり得ない値または品質不良の値がありました。伝えられなかったものと見なします",
  sensor_frozen: "他が動く間、センサーが最後の桁まで同じ値でした",
  sensor_contradicted: "センサーが互いに矛盾しています",
};
