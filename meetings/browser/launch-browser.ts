import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import type { Chromium } from './find-chromium.ts';

const RUN = fileURLToPath(new URL('run-chromium.sh', import.meta.url));
/** A new browser on a busy machine with two cores takes 3 s. */
const LAUNCH_WITHIN_MS = 30_000;
/** Meeting pages hide buttons in smaller windows. */
export const WINDOW = { width: 1280, height: 720 } as const;

const FLAGS = [
  '--disable-gpu',
  // The proxy speaks TCP.
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--deny-permission-prompts',
  // Web Audio and media elements start without a click.
  '--autoplay-policy=no-user-gesture-required',
];

export interface LaunchOptions {
  readonly chromium: Chromium;
  readonly folder: string;
  /** The only way to the network. */
  readonly proxy: string;
  /** Origin of the meeting. Over plain HTTP it has no camera, unless it is treated as a secure one. */
  readonly origin: string;
}

/** A browser that keeps nothing: its context is one of those that are in memory only. */
export async function launchBrowser(options: LaunchOptions): Promise<{ browser: Browser; context: BrowserContext }> {
  const { chromium: found, folder, proxy, origin } = options;
  const temporary = join(folder, 'b');
  await mkdir(temporary);
  // Playwright makes the profile in the temporary folder of this process.
  process.env['TMPDIR'] = temporary;
  const browser = await chromium.launch({
    executablePath: RUN,
    chromiumSandbox: found.sandbox,
    headless: true,
    timeout: LAUNCH_WITHIN_MS,
    proxy: { server: proxy },
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    // Pop-ups are blocked again.
    ignoreDefaultArgs: ['--disable-popup-blocking'],
    args: [...FLAGS, ...(origin.startsWith('http:') ? [`--unsafely-treat-insecure-origin-as-secure=${origin}`] : [])],
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: temporary,
      TMPDIR: temporary,
      MEETING_CHROMIUM: found.program,
      MEETING_FOLDER: temporary,
      MEETING_USER: found.user === null ? '' : String(found.user),
    },
  });
  const context = await browser.newContext({
    viewport: WINDOW,
    locale: 'en-US',
    acceptDownloads: false,
    serviceWorkers: 'block',
    // A page's content policy would forbid what the script needs.
    bypassCSP: true,
    reducedMotion: 'reduce',
    permissions: ['microphone', 'camera'],
    // Pages turn a browser away that calls itself headless.
    userAgent: userAgent(browser.version()),
  });
  return { browser, context };
}

function userAgent(version: string): string {
  const major = version.split('.')[0];
  return `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36`;
}
