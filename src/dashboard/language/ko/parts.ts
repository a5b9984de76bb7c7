// Korean texts of the area `parts`, in the words of ship's officers and of makers' panels. The
// keys are those of English.

import type { Translated } from "../area.ts";
import type { partsWords } from "../en/parts.ts";

export const koParts: Translated<typeof partsWords> = {
  of_rated: "%(정격 대비)",
  yes: "예",
  no: "아니요",
  seconds: "{n}초",
  minutes: "{n}분",
  hours: "{n}시간",
  days: { other: "{n}일" },
  utc: "UTC",
  ship_time: "선내시 UTC{offset}",
  silent: "{path}에서 응답이 없습니다",
  odd: "{path}에서 예상하지 못한 응답이 왔습니다",
  refused: "{path}: {status}, {message}",
  no_reason: "이유 없음",
  broken: "페이지의 이 부분에 오류가 발생했습니다: {message}",
  again: "다시 시도",
  loading: "ballastd에 요청 중",
  whole_text: "전체 글",
  odd_parameter: "이 주소에 페이지가 알지 못하는 항목이 있습니다: {names}",
  engineer_token: "기관사(engineer) 또는 관리자(maintainer) 토큰이 필요합니다.",
  engineer_continue: "계속",
  engineer_kept: "이 페이지에만 보관되며, 15분 동안 조작이 없으면 지워집니다.",
  act_refused: "ballastd가 거부했습니다:",
  act_silent: "ballastd의 응답이 없습니다. 다시 시도하기 전에 이미 처리되었는지 확인하십시오.",
  lamp: "램프 {lamp}",
  limit: "한계값 {limit}",
  value_limit: "{value}, 한계값 {limit}",
  value_limit_source: "{value}, 한계값 {limit} ({source})",
  default_source: "기본값, 형식승인 증서의 값으로 바꾸십시오",
  last_known: "마지막으로 알려진 상태: {headline}",
  counters_fast:
    "PLC의 램프 시간계가 {n}배 빠르게 갑니다. 추세와 내보내기는 받은 값 그대로이며, 그 밖의 램프 시간은 {n}으로 나눈 값입니다.",
  counters_unknown:
    "PLC의 램프 시간계가 시계보다 빠르게 가지만 단순한 배수가 아닙니다. 값은 시간이 아닙니다. 램프 수명 예측은 중단되었습니다.",
};
