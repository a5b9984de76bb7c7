// The choice in this browser that its screen is a panel on a wall: the page Panel sets it, and the
// frame returns to that page.

import { remember, remembered } from "./remembered.ts";

const CHOICE = "panel";

export const isOnWall = () => remembered(CHOICE) === "on";

export function putOnWall(on: boolean): void {
  remember(CHOICE, on ? "on" : "off");
}
