// The English texts by area, typed by en.json: a folder or page imports the words of its own. Vite
// splits this module by area, so that English comes with the script that needs it.

import { area } from "./area.ts";
import english from "./en.json" with { type: "json" };

export const alertsWords = area("alerts", english.alerts);
export const chartWords = area("chart", english.chart);
export const datesWords = area("dates", english.dates);
export const exportWords = area("export", english.export);
export const firstWatchWords = area("first_watch", english.first_watch);
export const fleetWords = area("fleet", english.fleet);
export const handoverWords = area("handover", english.handover);
export const healthWords = area("health", english.health);
export const inspectionWords = area("inspection", english.inspection);
export const lampsWords = area("lamps", english.lamps);
export const notesWords = area("notes", english.notes);
export const laterWords = area("later", english.later);
export const operationsWords = area("operations", english.operations);
export const overviewWords = area("overview", english.overview);
export const panelWords = area("panel", english.panel);
export const partsWords = area("parts", english.parts);
export const reasonsWords = area("reasons", english.reasons);
export const recordBookWords = area("record_book", english.record_book);
export const searchWords = area("search", english.search);
export const shellWords = area("shell", english.shell);
export const systemWords = area("system", english.system);
export const trendsWords = area("trends", english.trends);
export const whyWords = area("why", english.why);
