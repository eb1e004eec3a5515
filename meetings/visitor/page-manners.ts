import type { BrowserContext, Page } from 'playwright-core';
import type { GuardedProxy } from '../browser/guarded-proxy.ts';

/** How often a page may do each of these. A meeting does none of them more than a few times. */
const MOST = { dialogs: 20, windows: 10, downloads: 10 } as const;

export interface MannersHandlers {
  /** The page is not one to stay on. @param message for people. */
  tooMuch(message: string): void;
  /** It wanted to go to an address that is not public. */
  privateAddress(): void;
  crashed(): void;
}

/** Dialogs are dismissed, pop-ups closed, downloads refused; a page that does not stop with them is left. */
export function keepManners(context: BrowserContext, page: Page, proxy: GuardedProxy, handlers: MannersHandlers): void {
  const count = { dialogs: 0, windows: 0, downloads: 0 };
  const counted = (what: keyof typeof MOST): void => {
    count[what] += 1;
    if (count[what] === MOST[what]) handlers.tooMuch(`The meeting's page does not stop to open ${what}.`);
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
