import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import type { MeetingSession } from '../../control/ports.ts';
import { privateHosts } from '../../engine/net/index.ts';
import { type GuardedProxy, openGuardedProxy } from '../browser/guarded-proxy.ts';
import { launchBrowser } from '../browser/launch-browser.ts';
import { readProcesses, treeOf } from '../browser/process-tree.ts';
import type { MeetingProvider } from '../providers/provider.ts';
import { providerOf } from '../providers/registry.ts';
import { Attendance } from './attendance.ts';
import { PageBridge } from './page-bridge.ts';
import { enforcePageLimits } from './page-limits.ts';
import { PAGE_SCRIPT } from './page-script.ts';
import { MeetingScreen } from './screen.ts';
import { SessionSocket } from './session-socket.ts';
import type { FromVisitor, VisitEnd, VisitorSettings } from './visitor-messages.ts';

/** ms between two looks at the memory: a page that allocates as fast as it can takes some hundred MB in this time. */
const MEMORY_LOOK_MS = 500;
/** ms for each step of leaving. After about:blank the server of a meeting hears of it within 0.2 s. */
const LEAVE_MS = { session: 1_000, press: 1_500, blank: 2_000, farewell: 300, close: 3_000 } as const;
const PICTURE_WITHIN_MS = 5_000;
const PICTURE_QUALITY = 70;
const GONE = [404, 410];
/** Characters of what Chromium writes when it does not start. */
const MAX_TROUBLE = 1_000;

/** One visit to one meeting, in a process of its own. */
export class Visitor {
  readonly #settings: VisitorSettings;
  readonly #provider: MeetingProvider;
  readonly #send: (message: FromVisitor) => void;
  readonly #over = Promise.withResolvers<VisitEnd | null>();
  readonly #sessionOver = Promise.withResolvers<void>();
  #isOver = false;
  #proxy: GuardedProxy | null = null;
  #browser: Browser | null = null;
  #page: Page | null = null;
  #bridge: PageBridge | null = null;
  #socket: SessionSocket | null = null;

  constructor(settings: VisitorSettings, send: (message: FromVisitor) => void) {
    this.#settings = settings;
    this.#provider = providerOf(settings.provider);
    this.#send = send;
  }

  /** Goes in, stays, and leaves. @returns why, when nothing of it is left but the folder. Never rejects. */
  async run(): Promise<VisitEnd | null> {
    const watching = this.#watchMemory();
    this.#enter().catch((error: unknown) => this.#fail(`The visit failed (${nameOf(error)}).`));
    const end = await this.#over.promise;
    if (end !== null) this.#send({ type: 'leaving', end });
    // Else the session would see a connection that breaks, and not why.
    if (this.#socket !== null) await within(LEAVE_MS.session, () => this.#sessionOver.promise);
    await this.#leave();
    await watching;
    return end;
  }

  /** The service has started the session of the persona, or has none for it. */
  start(session: MeetingSession | null): void {
    if (session === null) return this.leave();
    this.#socket = new SessionSocket(session, {
      message: (actionType, payload) => this.#bridge?.send({ type: 'signal', actionType, payload }),
      ended: () => {
        this.#sessionOver.resolve();
        this.#end({ state: 'left', reason: 'left_call', message: 'The conversation has ended.' });
      },
    });
    const { sessionId, iceServers } = session;
    this.#bridge?.send({ type: 'session', sessionId, iceServers });
  }

  leave(): void {
    this.#end(null);
  }

  /** What the persona sees, as a JPEG. */
  async picture(): Promise<Uint8Array | null> {
    if (this.#isOver || this.#page === null) return null;
    return this.#page
      .screenshot({ type: 'jpeg', quality: PICTURE_QUALITY, timeout: PICTURE_WITHIN_MS })
      .catch(() => null);
  }

  async #enter(): Promise<void> {
    const { meetingUrl, displayName, chromium, folder, allowedPrivateHosts } = this.#settings;
    this.#proxy = await openGuardedProxy(privateHosts(allowedPrivateHosts));
    const address = this.#provider.openAt?.(meetingUrl) ?? meetingUrl;
    const origin = new URL(address).origin;
    const launched = await launchBrowser({ chromium, folder, proxy: this.#proxy.url, origin }).catch((error: Error) => {
      this.#send({ type: 'trouble', message: whyNoBrowser(error) });
      this.#fail('The browser could not be started.');
      return null;
    });
    if (launched === null) return;
    const { browser, context } = launched;
    this.#browser = browser;
    browser.on('disconnected', () => this.#fail('The browser ended.'));
    if (this.#isOver) return;
    const ownName = this.#provider.nameFor?.(displayName) ?? displayName;
    const attendance = new Attendance(this.#provider, ownName, {
      at: (place) => this.#send({ type: 'at', place }),
      end: (end) => this.#end(end),
    });
    this.#bridge = await PageBridge.attach(
      context,
      await readFile(PAGE_SCRIPT, 'utf8'),
      { displayName, ownName, allowedPrivateHosts },
      this.#provider.readRoom,
      {
        taken: () => attendance.devicesTaken(),
        reported: (message) => {
          if (message.type === 'room') this.#send({ type: 'others', count: message.participants.length });
          else if (message.type === 'media_sent') attendance.mediaSent();
          else if (message.type === 'signal') this.#socket?.send(message.actionType, message.payload);
          else this.#end({ state: 'left', reason: 'left_call', message: 'The connection to the conversation broke.' });
        },
      },
    );
    const page = await context.newPage();
    this.#page = page;
    enforcePageLimits(context, page, this.#proxy, {
      tooMuch: (message) => this.#fail(message),
      privateAddress: () =>
        this.#end({
          state: 'error',
          reason: 'meeting_link_invalid',
          message: "The meeting's page leads to an address that is not on the public internet.",
        }),
      crashed: () => this.#fail("The meeting's page crashed."),
    });
    if (await this.#load(page, address))
      await attendance.follow(new MeetingScreen(page, this.#provider), () => this.#isOver);
  }

  /** @returns whether there is a page. */
  async #load(page: Page, address: string): Promise<boolean> {
    const { loadWithinMs } = this.#settings;
    const response = await page
      .goto(address, { waitUntil: 'commit', timeout: loadWithinMs })
      .catch((error: unknown) => {
        // The guard of the proxy says it better.
        if (!this.#isOver)
          this.#fail(
            isTimeout(error) ? "The meeting's page did not load." : "The meeting's page could not be reached.",
          );
        return null;
      });
    if (this.#isOver) return false;
    const status = response?.status() ?? 0;
    if (GONE.includes(status))
      this.#end({ state: 'error', reason: 'meeting_link_invalid', message: 'There is no page at this address.' });
    else if (status >= 400) this.#fail(`The meeting's server answered with status ${status}.`);
    return !this.#isOver;
  }

  async #watchMemory(): Promise<void> {
    const most = this.#settings.memoryMb * 1024 * 1024;
    while (!this.#isOver) {
      const used = treeOf(process.pid, await readProcesses()).reduce((sum, { bytes }) => sum + bytes, 0);
      if (used > most) {
        this.#fail(`The meeting's page took more than ${this.#settings.memoryMb} MB of memory.`);
        // It may take more while it is asked to go.
        await this.#killBrowser();
      }
      await Promise.race([pause(MEMORY_LOOK_MS), this.#over.promise]);
    }
  }

  #fail(message: string): void {
    this.#end({ state: 'error', reason: 'provider_error', message });
  }

  /** The first end counts. */
  #end(end: VisitEnd | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#over.resolve(end);
  }

  /** In steps, each with a limit: the page may do whatever it wants with them. */
  async #leave(): Promise<void> {
    this.#socket?.close();
    const page = this.#page;
    if (page !== null && !page.isClosed() && this.#browser?.isConnected() === true) {
      const screen = new MeetingScreen(page, this.#provider);
      await within(LEAVE_MS.press, async () => {
        for (const target of this.#provider.leave) await screen.press(target);
      });
      // What the page still wants to tell its server when it is left, it can tell now.
      await within(LEAVE_MS.blank, () => page.goto('about:blank', { timeout: LEAVE_MS.blank }));
      await pause(LEAVE_MS.farewell);
    }
    this.#bridge?.close();
    await within(LEAVE_MS.close, () => this.#browser?.close());
    await this.#killBrowser();
    await this.#proxy?.close();
  }

  async #killBrowser(): Promise<void> {
    for (const { pid } of treeOf(process.pid, await readProcesses())) {
      if (pid === process.pid) continue;
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended meanwhile.
      }
    }
  }
}

/** Waits for the end of something, but not for longer. Never rejects. */
async function within(ms: number, run: () => Promise<unknown> | undefined): Promise<void> {
  await Promise.race([Promise.resolve(run()).catch(() => undefined), pause(ms)]);
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}

/** The lines that Chromium itself wrote, before the trace of its crash. */
function whyNoBrowser({ message }: Error): string {
  const lines = message.split('\n').filter((line) => line.startsWith('[pid=') && line.includes('[err]'));
  return `Chromium did not start: ${(lines.join('\n') || message).slice(0, MAX_TROUBLE)}`;
}
