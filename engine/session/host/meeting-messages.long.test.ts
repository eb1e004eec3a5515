import { expect, it, onTestFinished } from 'vitest';
import { createFakeLlm } from '../../../models/fakes/index.ts';
import { eventually } from '../../testing/eventually.ts';
import { openLiveEngine } from '../testing/live-engine.ts';

const llm = createFakeLlm({ answers: [] });
const ALICE = { participants: [{ id: 'a', name: 'Alice' }] };

it('the page of a meeting tells over the data channel who is there, and the persona greets them', async () => {
  const live = await openLiveEngine({
    llm,
    config: {
      meeting: { displayName: 'Ada (AI)', groupCall: false },
      greeting: { skip: false, initialMessage: 'Hello there.', uninterruptible: false },
    },
  });
  onTestFinished(() => live.close());
  const client = await live.connect();
  const spoken = () => live.entries.flatMap((entry) => (entry.kind === 'message' ? [entry.message.text] : []));
  client.send('meeting_speaking', { participant_id: 'a', speaking: false });
  client.send('meeting_participants', { participants: [] });
  await eventually(() => expect(client.signals).toContain('sessionready'));
  expect(spoken()).toEqual([]);
  client.send('meeting_participants', ALICE);
  await eventually(() => expect(spoken()).toEqual(['Hello there.']));
  expect(client.signals).not.toContain('warning');
});

it('outside of a meeting, the same messages are ignored with a warning, and the session goes on', async () => {
  const live = await openLiveEngine({ llm: createFakeLlm({ answers: [[{ type: 'text', text: 'Here I am.' }]] }) });
  onTestFinished(() => live.close());
  const client = await live.connect();
  client.send('meeting_participants', ALICE);
  client.send('meeting_speaking', { participant_id: 'a', speaking: true });
  client.say('Are you there?');
  await eventually(() => {
    const warnings = live.entries.filter((entry) => entry.kind === 'warning').map(({ code }) => code);
    expect(warnings).toEqual(['message_ignored', 'message_ignored']);
    expect(live.entries).toContainEqual(
      expect.objectContaining({ message: expect.objectContaining({ text: 'Here I am.' }) }),
    );
  });
});
