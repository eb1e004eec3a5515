import type { BrowserContext, Page } from 'playwright-core';
import type { GuardedProxy } from '../browser/guarded-proxy.ts';

/** How often a page may do each of these. A meeting does none of them more than a few times. */
const MAX = { dialogs: 20, windows: 10, downloads: 10 } as const;

export interface PageLimitHandlers {
  /** The page exceeded a limit and is to be left. @param message for people. */
  tooMuch(message: string): void;
  /** The page tried to open an address that is not public. */
  privateAddress(): void;
  crashed(): void;
}

/** Dismisses dialogs, closes pop-ups, refuses downloads, and reports a page that does not stop opening them. */
export function enforcePageLimits(
  context: BrowserContext,
  page: Page,
  proxy: GuardedProxy,
  handlers: PageLimitHandlers,
): void {
  const count = { dialogs: 0, windows: 0, downloads: 0 };
  const counted = (what: keyof typeof MAX): void => {
    count[what] += 1;
    if (count[what] === MAX[what]) handlers.tooMuch(`The meeting's page does not stop to open ${what}.`);
  };
  page.on('dialog', (dialog) => {
    counted('dialogs');
    // To leave a page one must agree.
    const answer = dialog.type() === 'beforeunload' ? dialog.accept() : dialog.dismiss();
    answer.catch(() => undefined);
  });
  context.on('page', (opened) => {
    if (opened === page) return;
    counted('windows');
    opened.close().catch(() => undefined);
  });
  page.on('download', (download) => {
    counted('downloads');
    download.cancel().catch(() => undefined);
  });
  page.on('crash', () => handlers.crashed());
  const wentTo = (url: string, isNavigation: boolean): void => {
    if (isNavigation && proxy.refused(targetOf(url))) handlers.privateAddress();
  };
  page.on('requestfailed', (request) => wentTo(request.url(), isMain(page, request)));
  page.on('response', (response) => wentTo(response.url(), isMain(page, response.request())));
}

function isMain(page: Page, request: { isNavigationRequest(): boolean; frame(): unknown }): boolean {
  return request.isNavigationRequest() && request.frame() === page.mainFrame();
}

/** @returns `host:port`, as the proxy is asked for it. */
function targetOf(address: string): string {
  const url = URL.parse(address);
  if (url === null) return '';
  return `${url.hostname.replace(/^\[|\]$/g, '')}:${url.port || (url.protocol === 'http:' ? 80 : 443)}`;
}
