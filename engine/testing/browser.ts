import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TEST_TIMEOUT_MS } from './test-timeout.ts';

/** Debian's. Without a window to show, a start takes 0.26 instead of 0.88 s of a core, and a call of two tracks 0.19 instead of 0.2. */
const WITHOUT_WINDOW = '/usr/bin/chromium-headless-shell';

/** For pages of another machine: the one without a window knows no `--unsafely-treat-insecure-origin-as-secure`. */
export const WHOLE_CHROMIUM = process.env['PARLEY_TEST_CHROMIUM'] ?? '/usr/bin/chromium';
/** The browser of the tests. */
export const TEST_CHROMIUM =
  process.env['PARLEY_TEST_CHROMIUM'] ?? (existsSync(WITHOUT_WINDOW) ? WITHOUT_WINDOW : WHOLE_CHROMIUM);

/**
 * Of these lists Chromium takes the last one: Playwright's own, and the pop-up of the address bar. Its two pages are
 * loaded with each window, which takes a third of the processor time of a start (1.4 of 4.5 s), and nobody sees them.
 */
const DISABLED_FEATURES = [
  'AudioServiceOutOfProcess',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
];

export interface TestBrowser {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Console lines and page errors, newest last. */
  readonly lines: string[];
  /** Whether neither the browser nor its page has crashed or was closed. */
  isAlive(): boolean;
  close(): Promise<void>;
}

/** Those that a test has not closed, to look at when it fails. */
export const openBrowsers = new Set<TestBrowser>();

interface BrowserOptions {
  /** A WAV that Chromium plays, looped, as its microphone; without one it beeps. */
  readonly microphone?: string;
  readonly args?: readonly string[];
  readonly width?: number;
  readonly height?: number;
  readonly executable?: string;
  /** Whether pages may be kept as they are for the way back, as for people. @defaultValue 'no' */
  readonly keepsPages?: 'yes' | 'no';
}

/**
 * Chromium gives up what waits for a connection when the machine gets or loses an address, as it does while a test beside
 * this one makes a network. Without one of its scripts, a page stays empty.
 */
function loadAgainAfterNetworkChange(context: BrowserContext): void {
  context.on('requestfailed', (request) => {
    const isOfPage = ['script', 'stylesheet'].includes(request.resourceType());
    if (!isOfPage || request.failure()?.errorText !== 'net::ERR_NETWORK_CHANGED') return;
    const loadAgain = async (): Promise<unknown> => request.frame().page().reload();
    // The page may be gone.
    loadAgain().catch(() => {});
  });
}

export async function launchBrowser(options: BrowserOptions = {}): Promise<TestBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'parley-chromium-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: options.executable ?? TEST_CHROMIUM,
    headless: true,
    ...(options.keepsPages === 'yes' && { ignoreDefaultArgs: ['--disable-back-forward-cache'] }),
    permissions: ['microphone'],
    viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--disable-features=${DISABLED_FEATURES.join()}`,
      '--autoplay-policy=no-user-gesture-required',
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      ...(options.microphone ? [`--use-file-for-fake-audio-capture=${options.microphone}`] : []),
      ...(options.args ?? []),
    ],
  });
  context.setDefaultTimeout(TEST_TIMEOUT_MS);
  loadAgainAfterNetworkChange(context);
  const page = context.pages()[0] ?? (await context.newPage());
  const lines: string[] = [];
  page.on('console', (message) => lines.push(`[${message.type()}] ${message.text()}`));
  page.on('pageerror', (error) => lines.push(`[error] ${error.message}`));
  let crashed = false;
  page.on('crash', () => {
    crashed = true;
    lines.push('[error] The page has crashed.');
  });
  const browser: TestBrowser = {
    context,
    page,
    lines,
    isAlive: () => !crashed && !page.isClosed(),
    async close() {
      openBrowsers.delete(browser);
      await context.close();
      // One that has crashed leaves processes behind, which write into their profile for a moment.
      await rm(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
  openBrowsers.add(browser);
  return browser;
}
