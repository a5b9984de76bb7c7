// Korean texts of the area `parts`, in the words of ship's officers and of makers' panels. The
// keys are those of English.

import type { Translated } from "../area.ts";
import type { partsWords } from "../en/parts.ts";

export const koParts: Translated<typeof partsWords> = {
  yes: "예",
  no: "아니요",
  seconds: "{n}초",
  minutes: "{n}분",
  hours: "{n}시간",
  days: { other: "{n}일" },
  utc: "UTC",
  ship_time: "선내시 UTC{offset}",
  span: "{from}~{to}",
  silent: "{path}에서 응답이 없습니다",
  odd: "{path}에서 예상하지 못한 응답이 왔습니다",
  refused: "{path}: {status}, {message}",
  no_reason: "이유 없음",
  broken: "페이지의 이 부분에 오류가 발생했습니다: {message}",
  again: "다시 시도",
  loading: "ballastd에 요청 중",
  odd_parameter: "이 주소에 페이지가 알지 못하는 항목이 있습니다: {names}",
};
