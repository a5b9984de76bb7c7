// A clock of the page that runs as fast as the page can follow: Date, performance.now and the
// timers stand still until the bench lets time pass, and while a request is under way or a stream
// connects. A beat of the stream is given to the page's own EventSource each 5 s of that time, as
// the server would send it; everything else that the page hears comes from the server. While
// nothing happens a request is sent once in five minutes of that time, and in between gets the last
// answer again.

import type { Page } from "playwright-core";

/** Lets so many seconds pass; answers what the page did meanwhile. */
export interface Passing {
  readonly seconds: number;
  /** True if each beat brings a new reading. */
  readonly isLive: boolean;
  /** True if no beat comes. */
  readonly isMute?: boolean;
}

export interface Passed {
  /** Requests begun since the page was loaded. */
  readonly requests: number;
  /** Every text of the link's sign that told a loss. */
  readonly losses: readonly string[];
  /** Milliseconds since 1970 by the page's clock. */
  readonly now_ms: number;
  readonly open_streams: number;
}

/** From the next navigation on. Until `letPass` is called first, the clock is the real one. */
export async function installClock(page: Page): Promise<void> {
  for (const script of [timersInPage, networkInPage, passingInPage])
    await page.addInitScript(script);
}

export function letPass(page: Page, passing: Passing): Promise<Passed> {
  return page.evaluate<Passed>(`virtual.pass(${JSON.stringify(passing)})`);
}

/** Hides the tab, or shows it, as a browser tells its page. */
export async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event("visibilitychange"));
  }, isHidden);
}

/** Shared by the three scripts below, as `virtual` of the page's window. */
interface Virtual {
  now_ms: number;
  readonly epoch_ms: number;
  /** Requests that are answered from the last answer, while it is true. */
  isRepeating: boolean;
  pending: number;
  requests: number;
  readonly streams: Set<EventSource>;
  readonly runUntil: (end_ms: number) => void;
  /** The page starts by the real clock; ends that. */
  readonly begin: () => void;
  pass?: (passing: Passing) => Promise<Passed>;
}

/** Runs in the page before its own scripts: Date, performance.now and the timers. */
function timersInPage(): void {
  interface Timer {
    due_ms: number;
    readonly every_ms: number | null;
    readonly run: () => void;
  }
  const RealDate = Date;
  const realNow = performance.now.bind(performance);
  const realClear = window.clearInterval.bind(window);
  const timers = new Map<number, Timer>();
  let next = 1;
  const earliest = (end_ms: number) => {
    let due: [number, Timer] | null = null;
    for (const entry of timers)
      if (entry[1].due_ms <= end_ms && (due === null || entry[1].due_ms < due[1].due_ms))
        due = entry;
    return due;
  };
  const runUntil = (end_ms: number) => {
    for (let due = earliest(end_ms); due !== null; due = earliest(end_ms)) {
      const [id, timer] = due;
      virtual.now_ms = Math.max(virtual.now_ms, timer.due_ms);
      if (timer.every_ms === null) timers.delete(id);
      else timer.due_ms = virtual.now_ms + Math.max(1, timer.every_ms);
      timer.run();
    }
    virtual.now_ms = Math.max(virtual.now_ms, end_ms);
  };
  const starting = window.setInterval(() => runUntil(realNow()), 10);
  const virtual: Virtual = {
    ...{ now_ms: realNow(), epoch_ms: RealDate.now() - realNow(), isRepeating: false },
    ...{ pending: 0, requests: 0, streams: new Set(), runUntil },
    begin: () => realClear(starting),
  };
  const add = (given: TimerHandler, wait_ms = 0, isRepeated = false) => {
    const run = () => {
      if (typeof given === "function") given();
    };
    const due_ms = virtual.now_ms + Math.max(0, wait_ms);
    timers.set(next, { due_ms, every_ms: isRepeated ? wait_ms : null, run });
    next += 1;
    return next - 1;
  };
  const now = () => virtual.epoch_ms + virtual.now_ms;
  const PageDate = new Proxy(RealDate, {
    construct: (target, given) => Reflect.construct(target, given.length > 0 ? given : [now()]),
    get: (target, name) => (name === "now" ? () => Math.round(now()) : Reflect.get(target, name)),
  });
  Object.assign(window, {
    ...{ virtual, Date: PageDate },
    setTimeout: (run: TimerHandler, wait_ms?: number) => add(run, wait_ms),
    setInterval: (run: TimerHandler, wait_ms?: number) => add(run, wait_ms, true),
    clearTimeout: (id?: number) => void timers.delete(id ?? 0),
    clearInterval: (id?: number) => void timers.delete(id ?? 0),
  });
  performance.now = () => virtual.now_ms;
}

/** Counts requests and streams, and repeats answers. */
function networkInPage(): void {
  const REPEAT_MS = 300_000;
  const virtual: Virtual = Reflect.get(window, "virtual");
  const answers = new Map<string, { readonly at_ms: number; readonly body: string }>();
  const realFetch = window.fetch.bind(window);
  const realText = Response.prototype.text;
  const counted = async <T>(begin: () => Promise<T>): Promise<T> => {
    virtual.pending += 1;
    try {
      return await begin();
    } finally {
      virtual.pending -= 1;
    }
  };
  const ask = async (asked: string, given?: RequestInit) => {
    const response = await realFetch(asked, given);
    const { now_ms: at_ms } = virtual;
    if (response.ok) answers.set(asked, { at_ms, body: await realText.call(response.clone()) });
    return response;
  };
  class PageStream extends EventSource {
    constructor(url: string | URL) {
      super(url);
      virtual.streams.add(this);
    }
    override close(): void {
      super.close();
      virtual.streams.delete(this);
    }
  }
  Object.assign(window, {
    EventSource: PageStream,
    fetch: (asked: string, given?: RequestInit) => {
      virtual.requests += 1;
      const known = answers.get(asked);
      const isFresh = known !== undefined && virtual.now_ms - known.at_ms < REPEAT_MS;
      if (!virtual.isRepeating || !isFresh) return counted(() => ask(asked, given));
      const headers = { Date: new Date().toUTCString() };
      return Promise.resolve(new Response(known.body, { headers }));
    },
  });
  Response.prototype.text = function text(this: Response) {
    return counted(() => realText.call(this));
  };
}

/** Lets time pass, and notes each loss that the page tells. */
function passingInPage(): void {
  const BEAT_S = 5;
  const IDLE_BEATS = 3;
  const virtual: Virtual = Reflect.get(window, "virtual");
  const losses: string[] = [];
  // One channel for all turns: a channel each filled the page's process with 1.7 GB in 5 h.
  const { port1, port2 } = new MessageChannel();
  const turn = () =>
    new Promise<void>((resolve) => {
      port1.onmessage = () => resolve();
      port2.postMessage(null);
    });
  const isOpen = ({ readyState }: EventSource) => readyState === EventSource.OPEN;
  const isConnecting = ({ readyState }: EventSource) => readyState === EventSource.CONNECTING;
  const isWaiting = () => virtual.pending > 0 || [...virtual.streams].some(isConnecting);
  const settled = async () => {
    do await turn();
    while (isWaiting());
  };
  const say = (type: string, data: object) => {
    for (const stream of virtual.streams)
      if (isOpen(stream))
        stream.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data) }));
  };
  const noteLoss = () => {
    const text = document.querySelector('[data-test="link"]')?.textContent ?? "";
    if (text.startsWith("lost")) losses.push(text);
  };
  new MutationObserver(noteLoss).observe(document, {
    ...{ childList: true, subtree: true, characterData: true },
  });
  virtual.pass = async ({ seconds, isLive, isMute = false }) => {
    virtual.begin();
    virtual.isRepeating = !isLive && !isMute;
    const end_ms = virtual.now_ms + seconds * 1000;
    for (let beat = 1; virtual.now_ms < end_ms; beat += 1) {
      virtual.runUntil(Math.min(end_ms, virtual.now_ms + BEAT_S * 1000));
      const received_age_s = isLive ? 1 : null;
      if (!isMute) say("beat", { now: new Date().toISOString(), received_age_s });
      if (isLive) say("reading", {});
      // The page has drawn when the next turn comes; an idle one needn't after each beat.
      if (!virtual.isRepeating || isWaiting() || beat % IDLE_BEATS === 0) await settled();
    }
    await settled();
    virtual.isRepeating = false;
    const open_streams = [...virtual.streams].filter(isOpen).length;
    const now_ms = virtual.epoch_ms + virtual.now_ms;
    return { requests: virtual.requests, losses, now_ms, open_streams };
  };
}
