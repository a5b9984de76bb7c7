// Korean texts of ballastd's own alerts, in the words of ship's officers and of makers' panels. The
// keys are those of English.

import type { Translated } from "../area.ts";
import type { alertCodesWords } from "../en/alert-codes.ts";

const GOVERN = "처리 장치 자체의 알람이 우선합니다";

export const koAlertCodes: Translated<typeof alertCodesWords> = {
  UV_BELOW_LIMIT: "처리 중인 UV 강도가 적합 모드의 한계값보다 낮습니다.",
  "UV_BELOW_LIMIT.action": `유량을 줄이고 램프, 슬리브, 수질을 점검하십시오. ${GOVERN}.`,
  FLOW_ABOVE_CERTIFIED: "유량이 승인된 유량을 초과했습니다.",
  "FLOW_ABOVE_CERTIFIED.action": "유량을 줄이십시오. 이를 넘으면 승인된 처리가 아닙니다.",
  WATER_UNTREATED: "처리 장치가 처리하지 않는 상태인데 물이 움직입니다.",
  "WATER_UNTREATED.action":
    "밸브를 닫거나 펌프를 멈추고, 처리하지 않는 이유를 점검하십시오. 처리 장치 자체의 경보가 우선합니다.",
  FILTER_DP_HIGH: "필터 차압이 1차 한계를 초과했습니다(배출 시 제외).",
  "FILTER_DP_HIGH.action": `역세척과 필터를 점검하십시오. ${GOVERN}.`,
  FILTER_DP_ALARM: "필터 차압이 2차 한계를 초과했습니다(배출 시 제외).",
  "FILTER_DP_ALARM.action": `유량을 줄이고 필터를 청소하십시오. ${GOVERN}.`,
  CABINET_HOT: "램프 전원반 내부 공기 온도가 1차 한계보다 높습니다.",
  "CABINET_HOT.action": "전원반의 팬, 필터 매트, 냉각수를 점검하십시오.",
  CABINET_TRIP: "램프 전원반 내부 공기 온도가 2차 한계보다 높습니다.",
  "CABINET_TRIP.action": `장치 트립에 대비하고 전원반 냉각을 즉시 점검하십시오. ${GOVERN}.`,
  LAMP_FAILED: "램프 상태가 FAILED입니다.",
  "LAMP_FAILED.action":
    "램프를 교체하거나 전원 공급을 점검한 뒤, 새 램프를 ballastd에 알려 주십시오.",
  LAMP_NEAR_END: "램프가 예측 기간 내에 수명이 다할 가능성이 높습니다.",
  "LAMP_NEAR_END.action": "예비 램프를 선내에 준비하고 교체를 계획하십시오.",
  CIP_DUE: "마지막 CIP 세정 후 정해진 간격이 지났습니다.",
  "CIP_DUE.action": "제조사 설명서에 따라 반응기의 CIP 세정을 실시하십시오.",
  SENSOR_IMPLAUSIBLE:
    "있을 수 없는 값이 들어옵니다(단선, 잘못된 환산 등). 저장하지만 판정과 집계에는 사용하지 않습니다.",
  "SENSOR_IMPLAUSIBLE.action":
    "센서, 배선, 입력 카드와 PLC의 환산을 점검하십시오. 값이 맞을 수 있으면 설정에서 센서의 범위를 지정하십시오.",
  SENSOR_BAD_QUALITY:
    "송신 측이 값의 품질을 불량으로 표시합니다. 저장하지만 판정과 집계에는 사용하지 않습니다.",
  "SENSOR_BAD_QUALITY.action": "게이트웨이와 PLC의 연결, 그리고 표시된 센서를 점검하십시오.",
  NO_DATA: "운전 중이지만 측정값이 들어오지 않습니다.",
  "NO_DATA.action":
    "PLC가 동작하는지, 케이블이 연결되어 있는지 확인하십시오. 마지막 수신 시점은 /readyz에 있습니다.",
  PLC_LINK_LOST: "PLC 연결이 예고 없이 끊겼습니다(last\u00a0will 수신).",
  "PLC_LINK_LOST.action": "NO_DATA와 같습니다. 해당 PLC가 다시 연결되면 해제됩니다.",
  BROKER_LOST: "메시지를 수신할 수 없습니다. 선내 브로커에 연결되지 않거나 브로커 주소가 없습니다.",
  "BROKER_LOST.action": "이유는 /readyz에 있습니다. ballastd가 스스로 다시 시도합니다.",
  CLOCK_NOT_TRUSTED: "PC 시계가 맞을 수 없습니다. 측정값은 표시와 함께 저장됩니다.",
  "CLOCK_NOT_TRUSTED.action": "PC 시계를 UTC로 맞추십시오.",
  READINGS_AHEAD:
    "최신 측정값의 시각이 신뢰할 수 있는 시계보다 앞섭니다. 그동안 측정값은 만료되지 않습니다.",
  "READINGS_AHEAD.action": "PLC 시계를 맞춘 뒤 이 측정값을 숨기십시오.",
  PLC_CLOCK_WRONG:
    "PLC와 이 컴퓨터의 시계가 5분 넘게 다릅니다. 마지막으로 도착한 값을 현재로 표시합니다.",
  "PLC_CLOCK_WRONG.action":
    "틀린 쪽의 시계를 UTC로 맞추십시오. 선박 시간을 쓰는 PLC라면 mqtt.plc_utc_offset을 설정하십시오.",
  MESSAGES_QUARANTINED:
    "도착하는 메시지가 격리되고 있습니다. 보관되지만 결과에는 포함되지 않습니다.",
  "MESSAGES_QUARANTINED.action":
    "경보 문구의 원인을 고친 뒤 시스템 페이지에서 메시지를 받아들이십시오.",
  PLANT_ALARM_QUARANTINED: "처리 장치의 경보가 격리된 메시지로 도착했습니다.",
  "PLANT_ALARM_QUARANTINED.action":
    "처리 장치 패널과 격리 원인을 확인하십시오. 처리 장치 자체의 경보가 우선합니다.",
  QUARANTINE_FULL: "격리 공간이 80 % 넘게 찼습니다. 한도를 넘으면 내용이 보관되지 않습니다.",
  "QUARANTINE_FULL.action":
    "원인을 고치고 메시지를 받아들이거나 quarantine.max_bytes를 늘리십시오.",
  DATA_DAMAGED: "저장된 데이터가 손상되었습니다. 그 부분은 응답에서 빠지고 나머지는 계속됩니다.",
  "DATA_DAMAGED.action": "PC 터미널에서 ballastd\u00a0check를 입력하십시오.",
  DISK_LOW: "디스크 여유 공간이 적습니다.",
  "DISK_LOW.action": "데이터 폴더가 있는 파일 시스템의 공간을 확보하십시오.",
  CERTIFICATE_ENDS: "TLS 인증서가 만료되었거나, 30일 이내에 만료되거나, 읽을 수 없습니다.",
  "CERTIFICATE_ENDS.action":
    "새 인증서를 발급받아 기존 파일에 덮어쓰십시오. ballastd가 스스로 적용합니다.",
  SHORE_BEHIND:
    "육상에서 shore.alarm_hours보다 오래 응답이 없습니다. 모든 데이터는 선내에 보관됩니다.",
  "SHORE_BEHIND.action":
    "선박의 인터넷 연결을 확인하십시오. 이유는 ballastd\u00a0shore\u00a0status가 알려 줍니다.",
  SHORE_REFUSED: "육상이 선박의 키 또는 보낸 것을 거부합니다.",
  "SHORE_REFUSED.action":
    "ballastd\u00a0shore\u00a0status의 내용을 회사에 알리십시오. 나머지는 모두 계속됩니다.",
  SHORE_FORK:
    "이 PC에 없는 이 선박의 데이터가 육상에 있습니다. 백업에서 복원되었거나 다른 PC가 선박의 키를 사용합니다. 양쪽 모두 육상에 보관됩니다.",
  "SHORE_FORK.action":
    "회사에 알리십시오. 다른 PC가 사용 중이면 멈추거나 각각 다른 키를 부여하십시오.",
  HISTORY_REPLACED:
    "저장된 데이터가 이전에 여기서 서명된 것과 다릅니다. 백업에서 복원되었거나 복사되었거나 다시 쓰였습니다. 작업이 빠졌을 수 있습니다.",
  "HISTORY_REPLACED.action": "누가 왜 교체했는지 확인하여 기록하고, 회사 및 인쇄물과 비교하십시오.",
  LAMP_COUNTERS_FAST:
    "램프 시간계가 시계보다 빠르게 갑니다. 예측은 계수로 나누어 계속되거나 중지됩니다.",
  "LAMP_COUNTERS_FAST.action": "맵에 올바른 계수를 지정하십시오.",
  TAG_NAMES_FULL: "알 수 없는 태그 이름이 4,096개입니다. 이후의 이름은 격리됩니다.",
  "TAG_NAMES_FULL.action":
    'PLC의 태그 이름을 고정하거나 map.unmapped\u00a0= "drop"을 설정하십시오.',
  JOB_FAILING: "백그라운드 작업이 실패하고 있습니다.",
  "JOB_FAILING.action": "PC 터미널에서 ballastd\u00a0check를 입력하십시오.",
  "PLANT.action": "처리 장치의 패널을 확인하십시오. 그 알람이 우선하며 패널에 남아 있습니다.",
  "OTHER.action": "PC 터미널에서 ballastd\u00a0check를 입력하십시오.",
};
