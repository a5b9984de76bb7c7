// Volumes as officers write them: 2013, 2,013.5 m3, 2.013,5, 2 013,5. Which of comma and dot is the
// decimal sign is decided for a whole file, because a single 2.013 could be either.

export type DecimalSign = "." | ",";

const UNIT = /\s*(m3|m³|cbm|cu\.?\s*m\.?|metros?\s*c[uú]bicos?)\s*$/i;
/** The spaces and apostrophes that group digits. */
const GROUPS = /(?<=\d)[\s'\u2019](?=\d{3}(?!\d))/g;

const bare = (text: string) => text.trim().replace(UNIT, "").replace(GROUPS, "").trim();

/** The decimal sign of a file's volumes; where none tells, a sign before three digits groups. */
export function decimalSignOf(texts: readonly string[]): DecimalSign {
  const votes = { ".": 0, ",": 0 };
  for (const text of texts.map(bare)) {
    const last = Math.max(text.lastIndexOf("."), text.lastIndexOf(","));
    const sign = text[last] === "," ? "," : ".";
    const other = sign === "," ? "." : ",";
    if (last < 0) continue;
    const isGroup = text.length - last - 1 === 3;
    const isAlone = text.indexOf(sign) === last;
    if (text.includes(other) && isAlone) votes[sign] += 1;
    else if (!isAlone) votes[other] += 1;
    else if (!isGroup) votes[sign] += 1;
  }
  if (votes[","] > votes["."]) return ",";
  return ".";
}

/** Cubic metres; null if the text is no number. */
export function writtenVolume(text: string, sign: DecimalSign): number | null {
  const group = sign === "," ? "." : ",";
  const number = bare(text);
  const groups = new RegExp(`^\\d{1,3}(\\${group}\\d{3})+(?!\\d)`);
  const whole = groups.test(number) ? number.replaceAll(group, "") : number;
  const plain = whole.replace(sign, ".");
  return /^\d{1,9}(\.\d{1,6})?$/.test(plain) ? Number(plain) : null;
}
