// Starts the page: the palette first, so that a dark bridge isn't lit up; then the language, the
// store, and the frame.

import { render } from "preact";
import { keepFocus } from "../parts/kept-focus.ts";
import { listenToKeys } from "../parts/keys.ts";
import { keepRefreshing } from "../store/store.ts";
import { Frame } from "./frame.tsx";
import { startLanguage } from "./languages.ts";
import { applyPalette } from "./palette.ts";

const place = document.getElementById("page");
if (place === null) throw new Error("index.html: expected an element #page");
applyPalette();
listenToKeys();
keepFocus();
keepRefreshing();
startLanguage().then(() => render(<Frame />, place));
