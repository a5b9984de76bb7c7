// Times at which something was painted in a page, noted inside of it: the first task after the
// next frame. By the machine's clock, so that they compare with times of this process.

import type { CDPSession, Page } from "playwright-core";

/** The texts of some elements at a moment, each after its `data-points` if it is a chart. */
export interface Paint {
  readonly text: string;
  /** When the page changed it, and when that was painted. */
  readonly changed_ms: number;
  readonly at_ms: number;
}

/** Notes each new text of the elements that `selector` finds, from the next navigation on. */
export async function watchPaints(page: Page, selector: string): Promise<void> {
  await page.addInitScript((wanted) => {
    const paints: Paint[] = [];
    let before: string | null = null;
    Object.assign(window, { paints });
    const look = () => {
      const found = [...document.querySelectorAll(wanted)];
      const text = found
        .map((one) => `${one.getAttribute("data-points") ?? ""}${one.textContent}`)
        .join("|");
      if (text === before || found.length === 0) return;
      before = text;
      const changed_ms = performance.timeOrigin + performance.now();
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => {
          paints.push({ text, changed_ms, at_ms: performance.timeOrigin + performance.now() });
        };
        channel.port2.postMessage(null);
      });
    };
    new MutationObserver(look).observe(document, {
      ...{ childList: true, subtree: true, characterData: true },
      attributeFilter: ["data-points"],
    });
  }, selector);
}

/** All paints since the page was loaded. */
export function paintsOf(page: Page): Promise<readonly Paint[]> {
  return page.evaluate<readonly Paint[]>("paints");
}

const PAINT_MAX_MS = 60_000;

/** The first paint that `isWanted`, waited for. */
export async function paintOf(page: Page, isWanted: (paint: Paint) => boolean): Promise<Paint> {
  const until_ms = performance.now() + PAINT_MAX_MS;
  for (;;) {
    const paints = await paintsOf(page);
    const found = paints.find(isWanted);
    if (found !== undefined) return found;
    if (performance.now() > until_ms)
      throw new Error(`not painted; last: ${JSON.stringify(paints.slice(-2))}`);
    await page.waitForTimeout(20);
  }
}

/** An input of the hand, and how long after it the frame that answers it was painted. */
export interface Step {
  readonly type: string;
  readonly at_ms: number;
  readonly took_ms: number;
}

/** Notes each input of these types, from the next navigation on. */
export async function watchSteps(page: Page, types: readonly string[]): Promise<void> {
  await page.addInitScript((wanted) => {
    const steps: Step[] = [];
    Object.assign(window, { steps });
    const note = ({ type, timeStamp }: Event) => {
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => {
          const took_ms = performance.now() - timeStamp;
          steps.push({ type, at_ms: performance.timeOrigin + timeStamp, took_ms });
        };
        channel.port2.postMessage(null);
      });
    };
    for (const type of wanted)
      window.addEventListener(type, note, { capture: true, passive: true });
  }, types);
}

export function stepsOf(page: Page): Promise<readonly Step[]> {
  return page.evaluate<readonly Step[]>("steps");
}

/** The processor of a slow tablet, so many times slower than this one; 1 is this one. */
export async function slowProcessor(session: CDPSession, times: number): Promise<void> {
  await session.send("Emulation.setCPUThrottlingRate", { rate: times });
}

/** 10 Mbit/s, 40 ms. */
export async function slowNetwork(session: CDPSession): Promise<void> {
  await session.send("Network.enable");
  const bytes_per_s = 10_000_000 / 8;
  await session.send("Network.emulateNetworkConditions", {
    ...{ offline: false, latency: 40 },
    ...{ downloadThroughput: bytes_per_s, uploadThroughput: bytes_per_s },
  });
}
