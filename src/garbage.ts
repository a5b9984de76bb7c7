// How early V8 collects garbage, for all threads of the process. By default a heap may grow to
// several times of what lives in it before it is collected, and what it has once grown to it keeps:
// on a PC that does more than this, memory matters more than the last per cent of speed.

import { setFlagsFromString } from "node:v8";

/** A heap is collected when it has grown by so much since the last time. */
const GROWING_PERCENT = 30;

setFlagsFromString(`--heap-growing-percent=${GROWING_PERCENT}`);
