import { expect, it, onTestFinished } from 'vitest';
import { createFakeLlm } from '../../../models/fakes/index.ts';
import { eventually } from '../../testing/eventually.ts';
import { openLiveEngine } from '../testing/live-engine.ts';

it('is heard by a client that takes no video, and draws no face for it', async () => {
  const answers = [[{ type: 'text', text: 'My name is Ada.' }]] as const;
  const live = await openLiveEngine({ llm: createFakeLlm({ answers }) });
  onTestFinished(() => live.close());
  let packets = 0;
  const client = await live.connect({ videoCodecs: [], onAudio: () => (packets += 1) });
  client.say('What is your name?');
  await eventually(() => expect(client.messages.map(({ data }) => data['content']).join('')).toContain('Ada'));
  expect(packets).toBeGreaterThan(0);
  expect(live.isFaceDrawn()).toBe(false);
});

// The length of a session was counted from its first video frame: without video, a session had no end.
it('ends at its maximum length also for a client that takes no video', async () => {
  const live = await openLiveEngine({ llm: createFakeLlm({ answers: [] }), config: { maxSessionLengthSeconds: 3 } });
  onTestFinished(() => live.close());
  const client = await live.connect({ videoCodecs: [] });
  await eventually(() => expect(client.signals).toContain('endsession'));
  const ends = live.entries.flatMap((entry) => (entry.kind === 'end' ? [entry.end.reason] : []));
  expect(ends).toEqual(['max_session_length']);
});
