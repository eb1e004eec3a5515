import { TEST_TIMEOUT_MS } from '../../engine/testing/test-timeout.ts';
import type { ServiceAccess } from './service.ts';
import { launchBrowser, type TestBrowser } from '../../engine/testing/browser.ts';
import { serveSdkPage, type ClientName, type SdkPage } from './sdk-page.ts';
import { spokenWav } from './spoken-wav.ts';
import type { ClientNetwork } from './test-network.ts';

export interface HeardEvent {
  readonly event: string;
  readonly at: number;
  readonly args: readonly unknown[];
}

export interface HistoryMessage {
  readonly id: string;
  readonly role: 'user' | 'persona';
  readonly content: string;
  readonly interrupted?: boolean;
}

/** A message of the client's signaling, and when it was sent: ms since 1970. */
export interface SentSignal {
  readonly at: number;
  readonly actionType: string;
}

export interface InboundStats {
  readonly framesDecoded?: number;
  readonly framesPerSecond?: number;
  readonly totalAudioEnergy?: number;
  readonly packetsLost?: number;
  readonly freezeCount?: number;
  readonly totalFreezesDuration?: number;
  readonly codec?: string;
  readonly frameWidth?: number;
  readonly frameHeight?: number;
}

/** How the browser's packets travel. */
export interface MediaPath {
  /** With a relay: between the relay and the service. */
  readonly protocol: 'udp' | 'tcp';
  readonly relayed: boolean;
  /** Between the browser and the relay; null without a relay. */
  readonly relayProtocol: 'udp' | 'tcp' | 'tls' | null;
  /** Of the service. */
  readonly port: number;
  readonly roundTripMs: number;
}

/** A client in a real browser, connected to the service: the unmodified public one, or `@parley/client`. */
export interface SdkSession {
  readonly sessionId: string;
  readonly browser: TestBrowser;
  say(text: string): Promise<void>;
  /** Plays a WAV file as the microphone, to its end. */
  play(wav: Buffer): Promise<void>;
  events(name?: string): Promise<HeardEvent[]>;
  history(): Promise<HistoryMessage[]>;
  /** The path that its newest peer connection uses; null: none yet. */
  path(): Promise<MediaPath | null>;
  stats(): Promise<{ audio?: InboundStats; video?: InboundStats }>;
  /** From now on the sound that is heard is kept. */
  record(): Promise<void>;
  /** @returns what was heard since `record`, or only about the last seconds of it; 16 kHz mono. */
  recorded(lastSeconds?: number): Promise<Int16Array>;
  /** When frames were shown, ms since 1970; those after `since`, if given. */
  shownFrames(since?: number): Promise<number[]>;
  signals(): Promise<SentSignal[]>;
  /** Waits until the predicate holds for the events so far; fails with the last events after `ms`. */
  until(what: string, predicate: (events: readonly HeardEvent[]) => boolean, ms?: number): Promise<void>;
  call(method: string, ...args: readonly unknown[]): Promise<unknown>;
  /** Loads the page anew and connects again, as the page does it when it is opened. */
  reload(): Promise<void>;
  close(): Promise<void>;
}

const POLL_MS = 50;

declare global {
  // The names that the test page defines (sdk-page.ts).
  var heard: HeardEvent[];
  var client: Record<string, (...args: readonly unknown[]) => unknown>;
  var peers: { readonly remoteDescription: { readonly sdp: string } | null }[];
  var say: (base64: string) => Promise<number>;
  var mediaPath: () => Promise<MediaPath | undefined>;
  var stats: () => Promise<{ audio?: InboundStats; video?: InboundStats }>;
  var record: () => Promise<void>;
  var recorded: (lastSeconds: number) => string;
  var shownFrames: number[];
  var signals: SentSignal[];
  var sockets: WebSocket[];
  var connect: (token: string, baseUrl: string, options?: unknown) => Promise<string>;
}

/** @param options `network`: where the browser runs; without one, on this machine itself. */
export async function connectSdk(
  service: ServiceAccess,
  tokenRequest: unknown,
  options: {
    /** @defaultValue 'public' */
    client?: ClientName;
    clientOptions?: unknown;
    browser?: TestBrowser;
    args?: string[];
    network?: ClientNetwork;
  } = {},
): Promise<SdkSession> {
  const { sessionToken } = await service.api<{ sessionToken: string }>('POST', '/v1/auth/session-token', tokenRequest);
  const page: SdkPage = await serveSdkPage(new URL(service.url).hostname, options.client);
  const browser = options.browser ?? (await launchOn(page, options));
  const connect = (): Promise<string> =>
    browser.page.evaluate(
      ([token, url, clientOptions]) => globalThis.connect(token as string, url as string, clientOptions ?? undefined),
      [sessionToken, service.url, options.clientOptions ?? null] as const,
    );
  await browser.page.goto(page.url);
  let sessionId = await connect();

  const heard = new HeardEvents(browser);
  const events = (name?: string): Promise<HeardEvent[]> => heard.read(name);

  const play = async (wav: Buffer): Promise<void> => {
    await browser.page.evaluate((base64) => globalThis.say(base64), wav.toString('base64'));
  };

  return {
    get sessionId() {
      return sessionId;
    },
    browser,
    events,
    async say(text) {
      await play(await spokenWav(text));
    },
    play,
    async history() {
      const updates = await events('MESSAGE_HISTORY_UPDATED');
      return (updates.at(-1)?.args[0] ?? []) as HistoryMessage[];
    },
    ...pageFunctions(browser),
    until: (what, predicate, ms = TEST_TIMEOUT_MS) => heard.until(predicate, { what, ms }),
    async reload() {
      await browser.page.reload();
      heard.forget();
      sessionId = await connect();
    },
    async close() {
      await browser.close();
      await page.close();
    },
  };
}

async function launchOn(
  page: SdkPage,
  { args = [], network }: { readonly args?: readonly string[]; readonly network?: ClientNetwork },
): Promise<TestBrowser> {
  return launchBrowser({
    // A microphone is only given to pages of a secure origin. Other addresses than the loopback interface are not
    // secure.
    args: [...args, `--unsafely-treat-insecure-origin-as-secure=${new URL(page.url).origin}`],
    ...(network && { executable: network.chromium }),
  });
}

/** What is asked of the test page. */
function pageFunctions(
  browser: TestBrowser,
): Pick<SdkSession, 'path' | 'stats' | 'record' | 'recorded' | 'shownFrames' | 'signals' | 'call'> {
  return {
    path: async () => (await browser.page.evaluate(() => globalThis.mediaPath())) ?? null,
    stats: () => browser.page.evaluate(() => globalThis.stats()),
    record: () => browser.page.evaluate(() => globalThis.record()),
    async recorded(lastSeconds = Infinity) {
      const bytes = await browser.page.evaluate((seconds) => globalThis.recorded(seconds), lastSeconds);
      return new Int16Array(new Uint8Array(Buffer.from(bytes, 'base64')).buffer);
    },
    shownFrames: (since = 0) =>
      browser.page.evaluate((since) => globalThis.shownFrames.filter((at) => at > since), since),
    signals: () => browser.page.evaluate(() => globalThis.signals),
    call: (method, ...args) =>
      browser.page.evaluate(([name, values]) => globalThis.client[name as string]?.(...(values as unknown[])), [
        method,
        args,
      ] as const),
  };
}

/** What the client has told the page. Only what is new comes from there: it is asked many times a second. */
class HeardEvents {
  readonly #browser: TestBrowser;
  readonly #all: HeardEvent[] = [];

  constructor(browser: TestBrowser) {
    this.#browser = browser;
  }

  async read(name?: string): Promise<HeardEvent[]> {
    const from = this.#all.length;
    const news = await this.#browser.page.evaluate((from) => globalThis.heard.slice(from), from);
    // Somebody else may have asked at the same time.
    this.#all.push(...news.slice(this.#all.length - from));
    return name === undefined ? this.#all : this.#all.filter(({ event }) => event === name);
  }

  /** @throws with the last events, when it takes too long. */
  async until(
    predicate: (events: readonly HeardEvent[]) => boolean,
    { what, ms }: { readonly what: string; readonly ms: number },
  ): Promise<void> {
    const deadline = performance.now() + ms;
    for (;;) {
      const seen = await this.read();
      if (predicate(seen)) return;
      if (performance.now() > deadline) {
        const last = seen.slice(-12).map((e) => `${e.event} ${JSON.stringify(e.args).slice(0, 300)}`);
        throw new Error(`Waited ${ms} ms for ${what}. Last events:\n${last.join('\n')}`);
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  /** The page begins anew. */
  forget(): void {
    this.#all.length = 0;
  }
}
