import { EventEmitter } from 'node:events';
import type { BrowserContext, Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { GuardedProxy } from '../browser/guarded-proxy.ts';
import { enforcePageLimits } from './page-limits.ts';

const PRIVATE = '10.0.0.1:80';

class FakePage extends EventEmitter {
  readonly mainFrame = () => 'main';
}

describe('A page in a meeting', () => {
  let page: FakePage;
  let context: EventEmitter;
  let told: string[];
  let done: string[];
  beforeEach(() => {
    [page, context] = [new FakePage(), new EventEmitter()];
    [told, done] = [[], []];
    const proxy: GuardedProxy = { url: '', refused: (target) => target === PRIVATE, close: async () => undefined };
    enforcePageLimits(context as unknown as BrowserContext, page as unknown as Page, proxy, {
      tooMuch: (message) => told.push(message),
      privateAddress: () => told.push('private'),
      crashed: () => told.push('crashed'),
    });
  });

  const act = (what: string) => async () => void done.push(what);
  const dialog = (type: string) => ({ type: () => type, accept: act('accept'), dismiss: act('dismiss') });
  const request = (url: string, frame: string, isNavigation = true) => ({
    url: () => url,
    frame: () => frame,
    isNavigationRequest: () => isNavigation,
  });

  it('gets no answer to its dialogs, no windows and no files, and may always be left', () => {
    page.emit('dialog', dialog('confirm'));
    page.emit('dialog', dialog('beforeunload'));
    page.emit('download', { cancel: act('cancel') });
    context.emit('page', { close: act('close') });
    context.emit('page', page);
    expect(done).toEqual(['dismiss', 'accept', 'cancel', 'close']);
    expect(told).toEqual([]);
  });

  it('is left when it does not stop with them, which is told once', () => {
    for (let i = 0; i < 30; i += 1) page.emit('dialog', dialog('alert'));
    for (let i = 0; i < 30; i += 1) context.emit('page', { close: act('close') });
    for (let i = 0; i < 30; i += 1) page.emit('download', { cancel: act('cancel') });
    expect(told).toEqual(
      ['dialogs', 'windows', 'downloads'].map((what) => `The meeting's page does not stop to open ${what}.`),
    );
  });

  it('is left when it goes to an address that is not public, and not for what it only loads from there', () => {
    page.emit('requestfailed', request('http://10.0.0.1/', 'main', false));
    page.emit('requestfailed', request('http://10.0.0.1/', 'frame'));
    page.emit('requestfailed', request('http://example.com/', 'main'));
    expect(told).toEqual([]);
    page.emit('requestfailed', request('http://10.0.0.1/', 'main'));
    page.emit('response', { url: () => 'http://10.0.0.1/', request: () => request('http://10.0.0.1/', 'main') });
    page.emit('crash');
    expect(told).toEqual(['private', 'private', 'crashed']);
  });
});
