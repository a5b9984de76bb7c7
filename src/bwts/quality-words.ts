// Words of yes, no, good, bad and no fault in the languages of crews, makers and their PLCs. A text
// is compared whole, without case, accents, blanks and signs. A sentence is no such word. Pure.

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
const BAD = list(
  "schlecht ungültig ungueltig gestört gestoert störung stoerung fehler fehlerhaft defekt " +
    "ausfall mauvais mauvaise invalide erreur défaut panne malo mala inválido inválida " +
    "error fallo falla avería ruim mau má erro falha cattivo cattiva errore guasto scadente " +
    "slecht ongeldig storing fout defect dårlig ugyldig fejl feil dålig ogiltig fel huono " +
    "virhe vika zły zła nieważny błąd awaria špatný neplatný chyba loše loš плохо плохое " +
    "плохой недействителен неисправен неисправность ошибка авария отказ kötü geçersiz hata " +
    "arıza xấu lỗi buruk rusak masama sira 不良 無効 異常 故障 エラー 无效 异常 坏 差 错误 불량 무효 이상 고장 오류",
);

/** Grades of a quality, and words of historians and of IEC 61850. */
const GOOD_GRADES = list(
  "high highest veryhigh excellent verygood best perfect full premium normal nominal fine " +
    "acceptable sufficient trusted confirmed measured passed hoch hervorragend haute élevée " +
    "excelente alta alto ottima ottimo hoog hög høy høj высокое высокая yüksek 高 優 높음 우수",
);
const BAD_GRADES = list(
  "poor low lowest verylow worst weak suspect suspicious questionable doubtful dubious " +
    "degraded limited inconsistent inaccurate olddata old overflow oscillatory badreference " +
    "corrupt corrupted wrong rejected reserved estimated interpolated extrapolated guessed " +
    "none nodata niedrig zweifelhaft fraglich basse faible douteuse douteux bajo baja " +
    "dudosa dudoso baixo baixa duvidosa duvidoso bassa dubbia laag låg lav низкое плохая " +
    "сомнительное düşük 低 劣 疑わしい 낮음 의심",
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
const NO_FAULT = new RegExp(`^(${NONE})(${FAULT_WORDS})?$|^(異常|エラー|이상|오류)(なし|없음)$`);

const ONLY_NONE = new RegExp(`^(${NONE})$`);

/** A negation before a word; that of English and Spanish only before one of good. */
const NEGATED =
  /^\s*(nicht|keine?|pas|sans|non|niet|geen|ikke|inte|ej|n[aã]o|sem|nie|brak|не|нет|без)\s+\p{L}/iu;
const NO_AND = /^\s*(?:not?)\s+(.+)$/i;

function isNegated(text: string): boolean {
  if (isNoneWord(text)) return false;
  const rest = NO_AND.exec(text)?.[1] ?? "";
  return NEGATED.test(text.normalize("NFC")) || isGoodWord(rest) || isYes(rest);
}

/** True for no, or for a negation of anything but of a fault. */
export const isDenied = (text: string): boolean => isNo(text) || isNegated(text);
export const isYes = (text: string): boolean => YES.has(folded(text));
export const isNo = (text: string): boolean => NO.has(folded(text));
export const isGoodWord = (text: string): boolean => GOOD.has(folded(text));
export const isBadWord = (text: string): boolean => BAD.has(folded(text));
export const isGoodGrade = (text: string): boolean => GOOD_GRADES.has(folded(text));
export const isBadGrade = (text: string): boolean => BAD_GRADES.has(folded(text));
/** True for none, which says of faults that there are none, and of a quality nothing good. */
export const isOnlyNone = (text: string): boolean => ONLY_NONE.test(folded(text));
/** True for none, or for no fault. */
export const isNoneWord = (text: string): boolean => NO_FAULT.test(folded(text));
