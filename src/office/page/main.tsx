// Starts the fleet page: the palette first, so that a dark room isn't lit up by a bright page; then
// the language and the frame.

import { render } from "preact";
import { onLanguage } from "../../dashboard/lang/area.ts";
import { listenToKeys } from "../../dashboard/parts/keys.ts";
import { startLanguage } from "../../dashboard/shell/languages.ts";
import { applyPalette } from "../../dashboard/shell/palette.ts";
import { FleetFrame } from "./fleet-frame.tsx";
import { speakFleet } from "./fleet-texts.ts";

const place = document.getElementById("page");
if (place === null) throw new Error("fleet.html: expected an element #page");
applyPalette();
listenToKeys();
onLanguage(() => void speakFleet());
startLanguage()
  .then(speakFleet)
  .then(() => render(<FleetFrame />, place));
