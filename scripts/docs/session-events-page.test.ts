import { describe, expect, it } from 'vitest';
import { listMachines } from './machine-list.ts';
import { eventRows } from './session-events-page.ts';

const { outer, inner } = eventRows(await listMachines());

/** The log has it for whoever reads it: the client is there, whichever way its packets take. */
const ONLY_RECORDED = new Set(['peer.path']);

describe('The events of a session', () => {
  it('are all sent by somebody', () => {
    expect([...outer, ...inner].filter(({ senders }) => senders.length === 0)).toEqual([]);
  });

  it('are all handled by somebody', () => {
    const unhandled = [...outer, ...inner].filter(({ handlers }) => handlers.length === 0).map(({ type }) => type);
    expect(new Set(unhandled)).toEqual(ONLY_RECORDED);
  });

  it('know who tells and who handles them from the code', () => {
    expect(inner.find(({ type }) => type === 'silence.skip')).toMatchObject({
      senders: ['tool call', 'user turn'],
      handlers: ['late results', 'meeting', 'silence'],
    });
    expect(outer.find(({ type }) => type === 'client.interrupt')).toMatchObject({
      class: 'system',
      senders: ['engine/rooms/index.ts', 'engine/session/host/speech-link.ts', 'engine/signaling/client-messages.ts'],
      handlers: ['late results', 'meeting', 'pause', 'persona turns', 'silence'],
    });
  });
});
