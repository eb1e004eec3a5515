import { launch, type Page } from 'puppeteer-core';
import { TEST_TIMEOUT_MS } from '../../engine/testing/test-timeout.ts';

/** Debian's Firefox, or the one that this names. */
const FIREFOX = process.env['PARLEY_TEST_FIREFOX'] ?? '/usr/bin/firefox-esr';

/** A folder with the plugin that Firefox fetches from Cisco for H.264 (`libgmpopenh264.so`). Undefined: it has VP8 alone. */
export const FIREFOX_H264 = process.env['PARLEY_TEST_FIREFOX_H264'];

/** Between a browser and its relay. */
export type RelayProtocol = 'udp' | 'tcp';

export interface TestFirefox {
  /**
   * A window of its own: pages that are not in front are slowed down.
   * @param relayOver its pages know only the TURN server's addresses for this protocol. @defaultValue all of them
   */
  open(relayOver?: RelayProtocol): Promise<FirefoxPage>;
  /** Waits until whatever else was begun is done: only the window in front takes clicks. */
  inTurn<T>(act: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** What the newest peer connection of a page has received. */
export interface FirefoxMedia {
  /** From the first path that works to the connection, ms; null: not connected yet. */
  readonly connectedAfterMs: number | null;
  readonly framesDecoded: number;
  readonly audioEnergy: number;
  readonly codec: string | null;
  readonly relayed: boolean;
  /** Null: without a relay. */
  readonly relayProtocol: RelayProtocol | null;
}

export interface FirefoxPage {
  readonly page: Page;
  /** Console lines and page errors, newest last. */
  readonly lines: string[];
  /** Clicks what has this text. */
  click(text: string): Promise<void>;
  /** Plays a WAV file as the microphone, to its end. */
  speak(wav: Buffer): Promise<void>;
  /** Null: the page has no peer connection. */
  media(): Promise<FirefoxMedia | null>;
}

/**
 * The page gets Firefox's own fake microphone, and with it the right to one: so ICE uses the addresses that it uses for a
 * person. A recording takes its place on the peer connection while it is played. Without a sound card, an AudioContext
 * does not run.
 */
const PAGE_SCRIPT = `(relayOver) => {
  const peers = [];
  const Original = window.RTCPeerConnection;
  const isUsed = (url) => relayOver === null || url.endsWith('transport=tcp') === (relayOver === 'tcp');
  const servers = (given = []) => given.map((server) => ({ ...server, urls: [server.urls].flat().filter(isUsed) }));
  window.RTCPeerConnection = class extends Original {
    constructor(given) {
      super({ ...given, iceServers: servers(given?.iceServers) });
      const times = {};
      peers.push({ peer: this, times });
      this.addEventListener('iceconnectionstatechange', () => (times[this.iceConnectionState] ??= performance.now()));
      this.addEventListener('connectionstatechange', () => (times['peer ' + this.connectionState] ??= performance.now()));
    }
  };
  window.mediaOfFirefox = async () => {
    const newest = peers.at(-1);
    if (newest === undefined) return null;
    const { peer, times } = newest;
    const report = [...(await peer.getStats()).values()];
    const inbound = (kind) => report.find((each) => each.type === 'inbound-rtp' && each.kind === kind) ?? {};
    const of = (id) => report.find((each) => each.id === id) ?? {};
    const pair = report.find((each) => each.type === 'candidate-pair' && each.selected) ?? {};
    return {
      connectedAfterMs: times['peer connected'] === undefined ? null : times['peer connected'] - times.connected,
      framesDecoded: inbound('video').framesDecoded ?? 0,
      audioEnergy: inbound('audio').totalAudioEnergy ?? 0,
      codec: of(inbound('video').codecId).mimeType ?? null,
      relayed: of(pair.localCandidateId).candidateType === 'relay',
      relayProtocol: of(pair.localCandidateId).relayProtocol ?? null,
    };
  };
  window.speakToFirefox = async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const recording = new Audio(URL.createObjectURL(new Blob([bytes], { type: 'audio/wav' })));
    if (recording.readyState < 1) await new Promise((resolve) => (recording.onloadedmetadata = resolve));
    const [track] = recording.mozCaptureStream().getAudioTracks();
    const sender = peers.at(-1).peer.getSenders().find(({ track }) => track?.kind === 'audio');
    const microphone = sender.track;
    await sender.replaceTrack(track);
    const ended = new Promise((resolve) => (recording.onended = resolve));
    await recording.play();
    await ended;
    await sender.replaceTrack(microphone);
  };
}`;

declare global {
  var mediaOfFirefox: () => Promise<FirefoxMedia | null>;
  var speakToFirefox: (base64: string) => Promise<void>;
}

/**
 * Starts a headless Firefox that is controlled by WebDriver BiDi.
 * @param options `secure`: hosts whose pages count as secure without TLS, and so get a microphone. `autoplay`: whether
 * pages may play sound before the user has clicked. @defaultValue true
 */
export async function launchFirefox(
  options: { readonly secure?: readonly string[]; readonly autoplay?: boolean } = {},
): Promise<TestFirefox> {
  const browser = await launch({
    browser: 'firefox',
    executablePath: FIREFOX,
    headless: true,
    ...(FIREFOX_H264 !== undefined && { env: { ...process.env, MOZ_GMP_PATH: FIREFOX_H264 } }),
    timeout: TEST_TIMEOUT_MS,
    protocolTimeout: 3 * TEST_TIMEOUT_MS,
    extraPrefsFirefox: {
      'dom.securecontext.allowlist': (options.secure ?? []).join(),
      'media.navigator.permission.disabled': true,
      'media.navigator.streams.fake': true,
      // 0: allowed; 1: not before a click.
      'media.autoplay.default': (options.autoplay ?? true) ? 0 : 1,
      'media.autoplay.block-webaudio': !(options.autoplay ?? true),
      // Its fake microphone beeps: at a pitch that nobody hears.
      'media.navigator.audio.fake_frequency': 20_000,
      // Nobody looks: without a graphics card, painting each picture starves the microphone.
      'layout.frame_rate': 4,
      // It would fetch its H.264 from the internet.
      'media.gmp-manager.updateEnabled': false,
      ...(FIREFOX_H264 !== undefined && { 'media.gmp-gmpopenh264.enabled': true, 'media.gmp.insecure.allow': true }),
    },
  });
  let turn: Promise<unknown> = Promise.resolve();
  return {
    inTurn(act) {
      const mine = turn.then(act);
      turn = mine.catch(() => undefined);
      return mine;
    },
    async open(relayOver) {
      const page = await browser.newPage({ type: 'window' });
      page.setDefaultTimeout(TEST_TIMEOUT_MS);
      const lines: string[] = [];
      page.on('console', (message) => lines.push(`[${message.type()}] ${message.text()}`));
      page.on('pageerror', (error) => lines.push(`[error] ${String(error)}`));
      await page.evaluateOnNewDocument(`(${PAGE_SCRIPT})(${JSON.stringify(relayOver ?? null)})`);
      return {
        page,
        lines,
        click: (text) => page.locator(`::-p-text(${text})`).click(),
        speak: (wav) => page.evaluate((base64) => globalThis.speakToFirefox(base64), wav.toString('base64')),
        media: () => page.evaluate(() => globalThis.mediaOfFirefox()),
      };
    },
    close: () => browser.close(),
  };
}
