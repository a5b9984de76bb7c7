// The choice of this browser that its screen is a panel on a wall: the page Panel makes it, and the
// frame comes back there.

import { remember, remembered } from "./remembered.ts";

const CHOICE = "panel";

export const isOnWall = () => remembered(CHOICE) === "on";

export function putOnWall(on: boolean): void {
  remember(CHOICE, on ? "on" : "off");
}
