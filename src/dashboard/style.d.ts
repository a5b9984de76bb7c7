// A page imports its style sheet, so that Vite loads the two together; nothing is read
// from it.

declare module "*.css";
