// The types of src/dashboard/lang/en.json, text by text: TypeScript knows of a JSON file only that
// there are strings in it, and a key or a value that is put in is checked by the text itself.

import english from "../../src/dashboard/lang/en.json" with { type: "json" };

export function englishTypes(): string {
  const areas = Object.entries(english).map(([name, texts]) => {
    const keys = Object.entries(texts).map(
      ([key, text]) => `    readonly ${JSON.stringify(key)}: ${typeOf(text)};\n`,
    );
    return `  readonly ${name}: {\n${keys.join("")}  };\n`;
  });
  return `// Types of the English texts in en.json, made by npm run generate: keys, and the names of
// what is put in.

declare const english: {
${areas.join("")}};
export = english;
`;
}

function typeOf(text: string | object): string {
  if (typeof text === "string") return JSON.stringify(text);
  const forms = Object.entries(text).map(
    ([form, written]) => `readonly ${form}: ${JSON.stringify(written)}`,
  );
  return `{ ${forms.join("; ")} }`;
}
