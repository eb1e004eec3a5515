import { beforeEach, describe, expect, it } from 'vitest';
import type { BrowserContext } from 'playwright-core';
import type { RoomReader, ToPage } from '../page/page-messages.ts';
import { PageBridge } from './page-bridge.ts';

const SETTINGS = { displayName: 'Elena (AI)', ownName: 'Elena (AI)', allowedPrivateHosts: [] };
const message = (actionType: string): ToPage => ({ type: 'signal', actionType, payload: null });

describe('The line to a page', () => {
  let told: string[];
  let bridge: PageBridge;
  let script: string;
  let name: string;
  /** A document calls. */
  let call: (frame: string, given: unknown) => Promise<unknown> | null;

  async function attach(readRoom: RoomReader): Promise<void> {
    const context = {
      exposeBinding(binding: string, called: (from: { frame: string }, given: unknown) => Promise<unknown> | null) {
        name = binding;
        call = (frame, given) => called({ frame }, given);
      },
      addInitScript: ({ content }: { content: string }) => (script = content),
    };
    bridge = await PageBridge.attach(
      context as unknown as BrowserContext,
      'const ParleyPage = found;',
      SETTINGS,
      readRoom,
      {
        taken: () => told.push('taken'),
        reported: ({ type }) => told.push(type),
      },
    );
  }
  beforeEach(() => {
    told = [];
    return attach(() => null);
  });

  it('leads to the document that took the devices, in order', async () => {
    expect(call('main', { type: 'next' })).toBeNull();
    call('main', { type: 'media_taken' });
    bridge.send(message('first'));
    bridge.send(message('second'));
    expect(await call('main', { type: 'next' })).toEqual(message('first'));
    expect(await call('main', { type: 'next' })).toEqual(message('second'));
    const third = call('main', { type: 'next' });
    bridge.send(message('third'));
    expect(await third).toEqual(message('third'));
    const last = call('main', { type: 'next' });
    bridge.close();
    expect(await last).toBeNull();
  });

  it('begins anew with a document that takes the devices later', async () => {
    call('before', { type: 'media_taken' });
    const waiting = call('before', { type: 'next' });
    call('after', { type: 'media_taken' });
    expect(await waiting).toBeNull();
    bridge.send(message('answer'));
    expect(call('before', { type: 'next' })).toBeNull();
    expect(await call('after', { type: 'next' })).toEqual(message('answer'));
  });

  it('takes reports of that document only, and only those that it knows', () => {
    call('main', { type: 'media_taken' });
    call('main', { type: 'media_sent' });
    call('advertisement', { type: 'session_lost' });
    for (const wrong of [null, 'media_sent', { type: 'other' }, { type: 'room', participants: [{ id: '' }] }])
      call('main', wrong);
    expect(told).toEqual(['taken', 'media_sent']);
  });

  it.each<[string, RoomReader]>([
    ['a method', { readRoom: () => ({ participants: [] }) }.readRoom],
    [
      'a short method',
      {
        readRoom() {
          return { participants: [] };
        },
      }.readRoom,
    ],
  ])('gives the page its settings and the reader of the room, written as %s', async (_how, reader) => {
    await attach(reader);
    const installed: { settings?: unknown; read?: RoomReader } = {};
    const found = { install: (settings: unknown, read: RoomReader) => Object.assign(installed, { settings, read }) };
    // eslint-disable-next-line no-new-func -- a page runs it as text as well
    new Function('found', script)(found);
    expect(installed.settings).toEqual({ ...SETTINGS, binding: name });
    expect(installed.read!([], '')).toEqual({ participants: [] });
  });
});
