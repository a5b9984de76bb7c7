// The bare keys, by the key of the text that describes each. The frame and the pages take their
// bindings from here, and the manual's table is made from it. The digits of the pages follow from
// their order.

export const KEYS = {
  frame: {
    key_palette: ["n"],
    key_dimmer: ["d"],
    key_full_screen: ["f"],
    key_clock: ["t"],
    key_panel: ["p"],
    key_search: ["/"],
    key_list: ["?"],
    key_close: ["Escape"],
  },
  overview: { step_back: ["["], step_on: ["]"], evidence_close: ["Escape"] },
  chart: {
    key_back: ["ArrowLeft"],
    key_on: ["ArrowRight"],
    key_in: ["+", "="],
    key_out: ["-"],
    key_cursor_back: [","],
    key_cursor_on: ["."],
  },
  lamps: { key_before: ["ArrowLeft"], key_after: ["ArrowRight"] },
} as const;
