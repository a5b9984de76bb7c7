// Text of people that is shown, printed and signed: names and short words. What moves a cursor,
// turns the direction of writing or can't be seen has no place in it.

/** Characters of control, of line and direction, and U+FFFD for a lost one. */
const NOT_IN_LINE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\ufffd]/u;
const NOT_IN_LINES = /(?![\n\t])[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u;

/** True if the text is one line without such characters; it may be empty. */
export const isPlainLine = (text: string): boolean => !NOT_IN_LINE.test(text);

/** The same of a text that may have several lines and tabs. */
export const isPlainText = (text: string): boolean => !NOT_IN_LINES.test(text);

/** True if there is something to see in it. */
export const isVisible = (text: string): boolean => /[^\s\p{C}]/u.test(text);
