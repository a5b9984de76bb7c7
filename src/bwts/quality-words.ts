// Words of yes, no, good and no fault, and of states, in the languages of crews, makers and their
// PLCs, without case, accents, blanks and signs. Words of bad, being endless, aren't listed:
// what isn't here is bad, and a word that lacks here costs a verdict but never makes one. Pure.

const list = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/).map(folded));

/** A text without the blanks and signs between its words. */
export const wordsJoined = (text: string): string => text.replace(/[\s_.:-]+/g, "");

function folded(text: string): string {
  const plain = text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").normalize("NFC");
  return wordsJoined(plain).replace(/[!'’]/g, "");
}

const YES = list(
  "yes ja oui si sì sí sim da да так tak ano áno igen evet kyllä jah jā taip ναι ya oo " +
    "opo ein вкл wahr richtig vrai verdadero verdadeiro vero waar sant sann prawda " +
    "правда istina doğru はい 예 네 是 真",
);
const NO = list(
  "no nein non nej nei nee não нет ні nie ne nem ei hayır hayir όχι hindi tidak không aus " +
    "выкл falsch faux falso onwaar falskt falsk fałsz ложь yanlış netačno いいえ 아니오 아니요 否 不 假",
);
const GOOD = list(
  "gut gültig gueltig inordnung bon bonne valide bien bueno buena válido válida bom boa " +
    "buono buona valido valida goed geldig god godt gyldig bra giltig hyvä dobry dobrý " +
    "dobro ważny хорошо хорошее хороший исправен исправно норма годен iyi geçerli tốt baik " +
    "mabuti 良 良好 有効 正常 有效 好 양호 정상 유효",
);
/** Grades of a quality, and words of historians and of IEC 61850. */
const GOOD_GRADES = list(
  "noerror noerrors nofault " +
    "high highest veryhigh excellent verygood best perfect full premium normal nominal fine " +
    "acceptable sufficient trusted confirmed measured passed hoch hervorragend haute élevée " +
    "excelente alta alto ottima ottimo hoog hög høy høj высокое высокая yüksek 高 優 높음 우수",
);
const NONE =
  "keine?|ohne|aucune?|pasd[e’']?|sans|sin|ninguna?|ninguno|ningun|sem|nenhuma?|senza|nessuna?|" +
  "nessuno|geen|zonder|inga?|ingen|inget|uten|uden|utan|brak|bez|zadna|ei|yok|нет|нема[еє]?|без|" +
  "khongco|tidakada|wala(ng)?|なし|無し|ない|无|無|没有|없음|없다";
const FAULT_WORDS =
  "fehler|storung(en)?|stoerung(en)?|erreurs?|defauts?|pannes?|error(es)?|fallos?|fallas?|" +
  "averias?|erros?|falhas?|errori|errore|guasti|guasto|fouten|fout|storing(en)?|fejl|feil|fel|" +
  "vikaa|virhetta|bledu|bledow|awarii|chyby|ошибок|ошибки|неисправностеи|аварии|hata|ariza|" +
  "異常|故障|エラー|异常|错误|이상|오류|고장|loi";
const ONLY_NONE = new RegExp(`^(${NONE})$`);
const NO_FAULT = new RegExp(`^(${NONE})(${FAULT_WORDS})$|^(異常|エラー|이상|오류)(なし|없음)$`);

export const isYes = (text: string): boolean => YES.has(folded(text));
export const isNo = (text: string): boolean => NO.has(folded(text));
export const isGoodWord = (text: string): boolean => GOOD.has(folded(text));
export const isGoodGrade = (text: string): boolean => GOOD_GRADES.has(folded(text));
/** True for none, which says of faults that there are none, and of anything else nothing good. */
export const isNoneWord = (text: string): boolean => ONLY_NONE.test(folded(text));

// -- States of a device

/** States in which a source measures. */
const MEASURES = list(
  "good ok okay in en on up live run running ready active auto automatic remote local enabled " +
    "operation operational operating working measuring sampling normal online connected " +
    "alive valid healthy success " +
    "läuft betrieb bereit automatik marche prêt automatique funzione automatico marcha listo " +
    "automático funcionando ligado pronto draait gereed drift klar praca gotowy çalışıyor hazır " +
    "otomatik работа работает готов авто автомат robota " +
    "運転 運転中 稼働 稼働中 自動 準備完了 운전 운전중 자동 运行 运行中 自动 就绪 chạy berjalan",
);

/** Further states of a plant; a sensor in them doesn't measure what is there. */
const OF_PLANT = list(
  "off start started starting stop stopped stopping idle standby warmup warm warming heating " +
    "cooling cip cleaning rinsing backflush backwash flushing filling ballast ballasting " +
    "deballast deballasting uptake discharge treating treatment bypass circulation circulating " +
    "open opened opening close closed closing init booting complete completed done finished " +
    "paused hold held manual hand disabled maintenance process processing mode state step " +
    "phase gestoppt aus hand manuell arrêt arrete manuel fermo manuale parado parada manual " +
    "gestopt handmatig stoppet stop durdu стоп остановлен ожидание ручной " +
    "停止 停止中 待機 待機中 手動 정지 대기 수동 待机 手动 dừng berhenti",
);

/** Sources, and parts of a plant, of which a state is told. */
const SOURCE_NAMES = list(
  "comm comms communication communications connection conn link sensor transmitter data value " +
    "values signal reading measurement input channel plc gateway opc ua da modbus tcp rtu mqtt " +
    "profinet ethernet serial status",
);
const PARTS = list("pump valve lamp lamps filter reactor system plant unit device status");

const FAULTS = "(faults?|fail(ures?)?|err(ors?)?|alarms?|problems?|exceptions?)";
/** The end of a text that says that a fault isn't there, or that what spoils a value is over. */
const WELL = new RegExp(
  [
    `(no|without) ?((active|known|present|current) )?${FAULTS}( (detected|found|present|active))*`,
    `${FAULTS} (free|none)|(err|error|fault) ?(none|ok|no)`,
    "comm(unication)?s? (is |are )?(ok|normal)",
    "not (in )?(fault|error|failed|faulted|stale|bad|invalid|simulated|forced)",
    `(${FAULTS}|timeout|override|hold|(simulation|manual|forced)( mode)?) ` +
      "((is|are) )?(ok|off|cleared|none|no|normal|inactive|disabled|reset|false|0)",
  ]
    .map((one) => `(^| )(${one})$`)
    .join("|"),
  "i",
);

/** `BadNoCommunication` in words, as OPC UA joins them. */
export const joinedByCapitals = (text: string): string =>
  text.replace(/(\p{Ll})(?=\p{Lu})/gu, "$1 ");

/** The parts of a text that are of different things, each in words with single blanks. */
const clausesOf = (text: string): readonly string[] =>
  text
    .split(/[,;/&|]|\s-\s/)
    .map((clause) => joinedByCapitals(clause).replace(/[^\p{L}\p{M}\p{N}]+/gu, " "))
    .map((clause) => clause.trim());

/** A number is of a thing or a measure, but 0 may deny the word before it. */
const isEach = (words: string, isKnown: (word: string) => boolean): boolean =>
  words.split(" ").every((word) => (/\p{L}/u.test(word) ? isKnown(folded(word)) : word !== "0"));

const isThing = (word: string): boolean => SOURCE_NAMES.has(word) || PARTS.has(word);

/** True if a text says that there is no fault, or that one is over, and nothing else. */
export const isNoFault = (text: string): boolean =>
  NO_FAULT.test(folded(text)) || clausesOf(text).every(isWell);

function isWell(clause: string): boolean {
  const left = clause.replace(WELL, "");
  return left !== clause && isEach(left, isThing);
}

/** True if a status names nothing but states: of a source, only those in which it measures. */
export function isKnownState(text: string, of: "source" | "plant"): boolean {
  const isMeasuring = (word: string) => MEASURES.has(word) || isGoodWord(word) || isYes(word);
  const isState = (word: string) => isMeasuring(word) || (of === "plant" && OF_PLANT.has(word));
  if (isState(folded(wordsJoined(text)))) return true;
  return clausesOf(text).every(
    (clause) =>
      clause !== "" &&
      (isWell(clause) ||
        isEach(clause, (word) => isMeasuring(word) || SOURCE_NAMES.has(word)) ||
        isEach(clause, (word) => isState(word) || PARTS.has(word))),
  );
}
