// Rules for text from people that is shown, printed and signed: names and short texts. Characters
// that move a cursor, turn the direction of writing or are invisible aren't allowed.

/** Characters that one line must not have: controls, line ends, direction marks and U+FFFD. */
const NOT_IN_LINE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\ufffd]/u;
const NOT_IN_LINES = /(?![\n\t])[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u;

/** The words of a refusal of a line that isn't plain. */
export const PLAIN_EXPECTED = "expected a text without control characters";

/** True if the text is one line without such characters; it may be empty. */
export const isPlainLine = (text: string): boolean => !NOT_IN_LINE.test(text);

/** True if the text has no such characters except line feeds and tabs. */
export const isPlainText = (text: string): boolean => !NOT_IN_LINES.test(text);

/** True if the text has a visible character. */
export const isVisible = (text: string): boolean => /[^\s\p{C}]/u.test(text);
