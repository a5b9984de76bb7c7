// Starts the page: night mode first, so that a dark bridge isn't lit up, then the page itself. The
// style sheet is dark until then.

import { render } from "preact";
import { Page } from "./page.tsx";
import { applyNight, storedNight } from "./stored-night.ts";

const place = document.getElementById("page");
if (place === null) throw new Error("index.html: expected an element #page");
applyNight(storedNight());
render(<Page />, place);
