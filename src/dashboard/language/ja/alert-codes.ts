// Japanese texts of ballastd's own alerts, in the words of ship's officers and of makers' panels.
// The keys are those of English.

import type { Translated } from "../area.ts";
import type { alertCodesWords } from "../en/alert-codes.ts";

const GOVERN = "処理装置自身の警報が優先します";

export const jaAlertCodes: Translated<typeof alertCodesWords> = {
  UV_BELOW_LIMIT: "処理中の UV 強度が、適合モードの限界値を下回っています。",
  "UV_BELOW_LIMIT.action": `流量を下げ、ランプ、スリーブ、水質を点検してください。${GOVERN}。`,
  FLOW_ABOVE_CERTIFIED: "流量が 承認された流量を超えています。",
  "FLOW_ABOVE_CERTIFIED.action":
    "流量を下げてください。これを超えると承認どおりの処理になりません。",
  WATER_UNTREATED: "装置が処理しない状態のまま、水が動いています。",
  "WATER_UNTREATED.action":
    "弁を閉じるかポンプを止め、処理しない理由を点検してください。処理装置自身の警報が優先します。",
  FILTER_DP_HIGH: "フィルター差圧が 第 1 限界を超えています（排水時を除く）。",
  "FILTER_DP_HIGH.action": `逆洗とフィルターを点検してください。${GOVERN}。`,
  FILTER_DP_ALARM: "フィルター差圧が 第 2 限界を超えています（排水時を除く）。",
  "FILTER_DP_ALARM.action": `流量を下げ、フィルターを清掃してください。${GOVERN}。`,
  CABINET_HOT: "ランプ電源盤内の気温が 第 1 限界を超えています。",
  "CABINET_HOT.action": "盤のファン、フィルターマット、冷却水を点検してください。",
  CABINET_TRIP: "ランプ電源盤内の気温が 第 2 限界を超えています。",
  "CABINET_TRIP.action": `装置のトリップに備え、盤の冷却を直ちに点検してください。${GOVERN}。`,
  LAMP_FAILED: "ランプの状態が FAILED です。",
  "LAMP_FAILED.action":
    "ランプを交換するか、その電源を点検してください。その後、新しいランプを ballastd に登録してください。",
  LAMP_NEAR_END: "ランプが 予測期間内に寿命となる見込みです。",
  "LAMP_NEAR_END.action": "船内に予備ランプを用意し、交換を計画してください。",
  CIP_DUE: "前回の CIP 洗浄から 定められた間隔を超えました。",
  "CIP_DUE.action": "メーカーの取扱説明書に従って、反応器の CIP 洗浄を行ってください。",
  SENSOR_IMPLAUSIBLE:
    "ありえない値が届いています（断線、換算の誤りなど）。保存しますが、判定や集計には使いません。",
  "SENSOR_IMPLAUSIBLE.action":
    "センサー、配線、入力カード、PLC の換算を点検してください。値が正しい場合は、設定でセンサーの範囲を指定してください。",
  SENSOR_BAD_QUALITY:
    "送信元が値を品質不良と示しています。保存しますが、判定や集計には使いません。",
  "SENSOR_BAD_QUALITY.action":
    "ゲートウェイと PLC の接続、および示されたセンサーを点検してください。",
  NO_DATA: "運転中ですが、計測値が届いていません。",
  "NO_DATA.action":
    "PLC の動作とケーブルの接続を確認してください。最後に計測値が届いた時は /readyz で分かります。",
  PLC_LINK_LOST: "PLC との接続が予告なく切れました（last\u00a0will を受信）。",
  "PLC_LINK_LOST.action": "NO_DATA と同じです。その PLC が再び接続すると解消します。",
  BROKER_LOST:
    "メッセージを受信できません。船内ブローカーに届かないか、ブローカーのアドレスがありません。",
  "BROKER_LOST.action": "理由は /readyz にあります。ballastd は自動で再試行します。",
  CLOCK_NOT_TRUSTED: "PC の時計が正しくありません。計測値は印を付けて保存されます。",
  "CLOCK_NOT_TRUSTED.action": "PC の時計を UTC に合わせてください。",
  READINGS_AHEAD:
    "最新の計測値の日時が、信頼できる時計より先です。その間、計測値は期限切れになりません。",
  "READINGS_AHEAD.action": "PLC の時計を合わせ、その後これらの計測値を非表示にしてください。",
  PLC_CLOCK_WRONG:
    "PLC とこのコンピューターの時計が 5 分以上違います。最後に届いた値を現在として表示します。",
  "PLC_CLOCK_WRONG.action":
    "間違っている方の時計を UTC に合わせてください。船内時刻の PLC では mqtt.plc_utc_offset を設定してください。",
  MESSAGES_QUARANTINED:
    "届いているメッセージが隔離されています。保存はされていますが、結果には含まれません。",
  "MESSAGES_QUARANTINED.action":
    "警報の文にある原因を直し、その後「システム」ページで取り込んでください。",
  PLANT_ALARM_QUARANTINED: "処理装置の警報が、隔離されたメッセージで届きました。",
  "PLANT_ALARM_QUARANTINED.action":
    "処理装置のパネルと隔離の原因を確認してください。処理装置自体の警報が優先します。",
  QUARANTINE_FULL: "隔離領域の 80 % 以上が使われています。上限を超えると内容は保存されません。",
  "QUARANTINE_FULL.action":
    "原因を直してメッセージを取り込むか、quarantine.max_bytes を増やしてください。",
  DATA_DAMAGED: "保存データが破損しています。その部分は回答から除かれ、他は継続します。",
  "DATA_DAMAGED.action": "PC の端末で ballastd\u00a0check と入力してください。",
  DISK_LOW: "ディスクの空きが少なくなっています。",
  "DISK_LOW.action": "データフォルダーのあるファイルシステムの空きを増やしてください。",
  CERTIFICATE_ENDS: "TLS 証明書が期限切れか、30 日以内に切れるか、読み取れません。",
  "CERTIFICATE_ENDS.action":
    "新しい証明書を発行してもらい、古いものに上書きしてください。ballastd が自動で読み込みます。",
  SHORE_BEHIND:
    "陸上から shore.alarm_hours を超えて応答がありません。データはすべて船内に保存されています。",
  "SHORE_BEHIND.action":
    "本船のインターネット回線を確認してください。理由は ballastd\u00a0shore\u00a0status が示します。",
  SHORE_REFUSED: "陸上が本船の鍵、または送信したものを拒否しています。",
  "SHORE_REFUSED.action":
    "ballastd\u00a0shore\u00a0status の内容を会社に伝えてください。他はすべて継続します。",
  SHORE_FORK:
    "この PC にない本船のデータが陸上にあります。バックアップから復元されたか、別の PC が本船の鍵を使っています。両方とも陸上に残ります。",
  "SHORE_FORK.action":
    "会社に伝えてください。別の PC が使われている場合は停止するか、それぞれに鍵を与えてください。",
  HISTORY_REPLACED:
    "保存データが、ここで以前に署名されたものと異なります。バックアップからの復元、コピー、または書き換えです。作業が欠けている可能性があります。",
  "HISTORY_REPLACED.action":
    "誰がなぜ置き換えたかを調べて記録し、会社および印刷物と照合してください。",
  LAMP_COUNTERS_FAST:
    "ランプの時間計が時計より速く進んでいます。予測は係数で割って続くか、停止します。",
  "LAMP_COUNTERS_FAST.action": "マップに正しい係数を設定してください。",
  TAG_NAMES_FULL: "未知のタグ名が 4,096 件に達しました。以後の名前は隔離されます。",
  "TAG_NAMES_FULL.action":
    'PLC のタグ名を固定するか、map.unmapped\u00a0= "drop" を設定してください。',
  JOB_FAILING: "バックグラウンド処理が失敗しています。",
  "JOB_FAILING.action": "PC の端末で ballastd\u00a0check と入力してください。",
  "PLANT.action": "処理装置のパネルを確認してください。その警報が優先し、パネルに残ります。",
  "OTHER.action": "PC の端末で ballastd\u00a0check と入力してください。",
};
