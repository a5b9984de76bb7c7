// The kind of an entry as seafarers write it: each spelling is read as it is meant, or told as not
// understood. It agrees with an operation of that kind alone, whatever else it was.

import { describe, expect, test } from "vitest";
import { entryKind } from "../../../../src/bwts/record-book/book-kinds.ts";
import { comparedBook } from "../../../rig/compared-book.ts";

/** Spellings of an uptake. */
const UPTAKES = [
  ...["A", "a", "(A)", "[A]", "A.", "A1", "A.1", "A 1", "A-1", "A.1-6", "A 1, 2, 3", "Code A"],
  ...["A - uptake", "A: ballasting", "A uptake", "A) Ballasting", "A (uptake)", "Code: A"],
  ...["Uptake", "B/W uptake", "BW UPTAKE", "B.W. intake", "Ballast uptake", "Ballast water intake"],
  ...["Ballasting", "ballasted", "F.P.T. ballasting", "FPT ballasting", "APT ballasting"],
  ...["D.B. tanks ballasting", "No.3 WBT P/S ballasting", "Ballasting by gravity"],
  ...["Re-ballasting", "Ballast in", "Ballast taken on board", "Filling of ballast tanks"],
  ...["Pumping in ballast", "Loading ballast", "Commenced ballasting", "Ballasting with BWTS"],
  ...["Ballast loading", "W.B. filling"],
  ...["Prise", "Prise d'eaux de ballast à bord", "Ballastage", "Remplissage ballasts"],
  ...["Toma", "Toma de agua de lastre a bordo", "Lastrado", "LASTRADO", "Carga de lastre"],
  ...["Embarque de agua de lastre", "Llenado de tanques de lastre", "UPTAKE (IMO)", "Lestage"],
  "A – When ballast water is taken on board from the aquatic environment (ballasting operation)",
];

/** Spellings of a discharge. */
const DISCHARGES = [
  ...["B", "(B)", "B1", "B.4", "Code B", "B - discharge", "B: deballasting", "B Discharge"],
  ...["Discharge", "Ballast discharge", "Ballast disch.", "B/W disch", "BW discharged", "DISCHG."],
  ...["De ballasting", "De-ballasting", "Deballasting", "DE-BALLASTED", "Deballast", "De-ballast"],
  ...[
    "Ballast pumped out",
    "Ballast out",
    "Ballast water pumped overboard",
    "Over board discharge",
  ],
  ...["Discharge of ballast to sea", "F.P.T. deballasting", "Discharging ballast by gravity"],
  ...[
    "Rejet",
    "Rejet d'eaux de ballast en mer",
    "Déballastage",
    "Dé-ballastage",
    "Vidange ballast",
  ],
  ...["Descarga", "Descarga de agua de lastre al mar", "Deslastre", "Deslastrado", "Achique"],
];

/** Spellings of what is neither: of an exchange, a reception facility, an accident, and so on. */
const OTHERS: readonly (readonly [string, string])[] = [
  ["Ballast water exchange", "C"],
  ["BWE", "C"],
  ["B.W. exchange (sequential)", "C"],
  ["Flow-through exchange", "C"],
  ["Ballast transfer", "C"],
  ["Internal transfer", "C"],
  ["Circulation", "C"],
  ["In-tank treatment", "C"],
  ["Renouvellement des eaux de ballast", "C"],
  ["Cambio de agua de lastre", "C"],
  ["Trasvase de lastre", "C"],
  ["C", "C"],
  ["Discharge to reception facility", "D"],
  ["Rejet installation de réception", "D"],
  ["Accidental discharge", "E"],
  ["Accidental ballast uptake", "E"],
  ["Ingress", "E"],
  ["Toma excepcional", "E"],
  ["BWTS failure", "F"],
  ["BWMS malfunction", "F"],
  ["Failure of BWTS during ballasting", "F"],
  ["Défaillance du système", "F"],
  ["Fallo del sistema", "F"],
  ["Avería BWMS durante descarga", "F"],
  ["Tank cleaning", "G"],
  ["Removal of sediments", "G"],
  ["Limpieza de tanques", "G"],
  ["Remarks", "H"],
  ["Observaciones", "H"],
  ["Training", "H"],
];

/** Spellings that could be several things, or have a word that turns them round. */
const UNREADABLE = [
  ...["", "-", "?", "Ballast", "Ballast water", "BW", "Ballast operation", "Ballast op.", "Lastre"],
  ...["Water transferred to where", "Ballasting / deballasting", "Uptake or discharge", "A/B"],
  ...[
    "A - deballasting",
    "B: uptake",
    "F ballasting",
    "C discharge",
    "No ballasting",
    "N/A",
    "Nil",
  ],
  ...["Ballasting cancelled", "Ballasting not done", "No discharge", "Stopped ballasting due rain"],
  ...["Cargo loading", "Loading", "Bunkering", "Pumping", "Stripping", "Treatment", "Bypass"],
  ...["De ballast", "Opération de ballast", "Ballasting after failure", "Failed ballasting"],
  ...["Discharge to shore truck", "Uptake of fresh fish", "Ballasting then exchange", "DB", "D/B"],
  ...["I", "Z", "AB", "A, B", "1", "X1", "Ballastt", "Tank 3P", "Treatment of ballast in tank"],
  ...["Ballasting 取消", "Балластировка", "Ballasting – отмена", "Non-ballasting", "注水"],
  ...["Uptake?", "A?", "Uptake!", "~Uptake~", "--uptake--", "A → B", "Uptake *", "A = ?"],
  ...["Stop deballasting", "Ballasting without bypass", "Planned uptake"],
];

const LOGS = { A: "BALLAST", B: "DEBALLAST" } as const;

describe.each([
  ["A", UPTAKES],
  ["B", DISCHARGES],
] as const)("an entry of %s", (code, spellings) => {
  test.each(spellings)("is read from %s, and agrees with nothing else", (spelling) => {
    expect(entryKind(spelling)?.code).toBe(code);
    for (const [letter, type] of Object.entries(LOGS)) {
      const { agrees, results } = comparedBook(bookOf(spelling), { operation_type: type });
      expect(agrees).toBe(letter === code);
      if (letter !== code)
        expect(results[0].differences).toEqual([
          { differs: "code", log: letter, book: code, by: null },
        ]);
    }
  });
});

test.each(OTHERS)("%s is %s, and agrees with neither", (spelling, code) => {
  expect(entryKind(spelling)?.code).toBe(code);
  for (const [letter, operation_type] of Object.entries(LOGS)) {
    const { agrees, results } = comparedBook(bookOf(spelling), { operation_type });
    expect(agrees).toBe(false);
    if ("CDE".includes(code))
      expect(results).toMatchObject([{ differences: [{ log: letter, book: code }] }]);
  }
});

test.each(UNREADABLE)("%s isn't understood, is told, and agrees with nothing", (spelling) => {
  expect(entryKind(spelling)).toBeNull();
  for (const operation_type of Object.values(LOGS)) {
    const { agrees, problems, results } = comparedBook(bookOf(spelling), { operation_type });
    expect(agrees).toBe(false);
    expect(results.map(({ result }) => result)).not.toContain("match");
    expect(problems).toContainEqual({
      ...{ line: 2, problem: expect.stringMatching(/^(code|operation): got .*expected /) },
    });
  }
});

test("a letter and words that contradict it are told", () => {
  const text =
    "code,operation,start,end,place,volume\n" +
    "A,Deballasting,2026-10-01 06:00,2026-10-01 06:30,TESTPORT,300\n";
  const { agrees, problems } = comparedBook(text);
  expect(agrees).toBe(false);
  expect(problems[0].problem).toContain("expected both to name one kind of entry");
});

function bookOf(spelling: string): string {
  const cell = `"${spelling}"`;
  return (
    "operation,start,end,place,volume,tanks\n" +
    `${cell},2026-10-01 06:00,2026-10-01 06:30,TESTPORT,300,1P\n`
  );
}
