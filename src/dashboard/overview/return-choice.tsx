// The choice that this screen is a panel: then the frame returns from any page to the panel after
// five minutes without a touch.

import { useState } from "preact/hooks";
import { panelWords as t } from "../lang/words.ts";
import { isOnWall, putOnWall } from "../store/wall.ts";

export function ReturnChoice() {
  const [isChosen, setChosen] = useState(isOnWall);
  return (
    <label class="tick">
      <input
        type="checkbox"
        checked={isChosen}
        onChange={({ currentTarget: { checked } }) => {
          putOnWall(checked);
          setChosen(checked);
        }}
      />{" "}
      {t("comes_back")}
    </label>
  );
}
