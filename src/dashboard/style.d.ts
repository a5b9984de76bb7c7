// Declares style sheets as modules. A page imports its sheet, so that Vite loads the two together;
// the import has no value.

declare module "*.css";
