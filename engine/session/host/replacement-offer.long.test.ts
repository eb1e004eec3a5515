import { describe, expect, it, onTestFinished } from 'vitest';
import { clientTool } from '../../../actors/testing/session-config.ts';
import { createFakeLlm } from '../../../models/fakes/index.ts';
import { eventually } from '../../testing/eventually.ts';
import { openLiveEngine, type LiveClient, type LiveEngine, type ReceivedMessage } from '../testing/live-engine.ts';

const STORY =
  'Once upon a time there was a very small boat on a very wide river and nobody had ever asked it where it was going.';
const DTLS_DATA = 23;

async function open(...options: Parameters<typeof openLiveEngine>): Promise<LiveEngine> {
  const live = await openLiveEngine(...options);
  onTestFinished(() => live.close());
  return live;
}

/**
 * Cuts the client's network in both directions and permanently, after the acknowledgement of what it has received by
 * then.
 */
function cutOnceAcknowledged({ network }: LiveClient, gotEnough: () => boolean): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let stage: 'open' | 'cut' = 'open';
  network.setFate((direction, datagram) => {
    if (stage === 'cut') return 'drop';
    if (direction === 'to-server' && datagram[0] === DTLS_DATA && gotEnough()) {
      stage = 'cut';
      resolve();
    }
    return 'pass';
  });
  return promise;
}

const ofPersona = (messages: readonly ReceivedMessage[]): ReceivedMessage['data'][] =>
  messages
    .filter(({ messageType, data }) => messageType === 'speechText' && data['role'] === 'persona')
    .map(({ data }) => data);

/**
 * The public Python client makes a new peer connection, and offers it, whenever its socket was lost. It keeps what it
 * has received by then. Everything that was on its way to the old connection was lost. A message of the persona without
 * its end is never shown. A tool call without its announcement is never made, but fails later.
 */
describe('a client that comes with another peer connection', () => {
  it('has the whole message of the persona, every word once, and its one end', async () => {
    const live = await open({ llm: createFakeLlm({ answers: [[{ type: 'text', text: STORY }]] }) });
    const before = await live.connect();
    before.say('Tell me a story.');
    await cutOnceAcknowledged(before, () => ofPersona(before.messages).length >= 2);
    const after = await live.connect();
    await eventually(() => expect(ofPersona(after.messages).at(-1)).toMatchObject({ end_of_speech: true }));

    const chunks = [...ofPersona(before.messages), ...ofPersona(after.messages)];
    expect(chunks.map((chunk) => chunk['content_index'])).toEqual(chunks.map((_, index) => index));
    expect(chunks.filter((chunk) => chunk['end_of_speech'] === true)).toHaveLength(1);
    // A busy machine may need three seconds for a new connection. Then the speech ends where the old connection died.
    const text = chunks.map((chunk) => chunk['content']).join('');
    expect(chunks.at(-1)?.['interrupted'] === true ? STORY.slice(0, text.length) : STORY).toBe(text);
    expect(new Set(chunks.map((chunk) => chunk['message_id'])).size).toBe(1);
    expect(after.signals).toContain('sessionready');
  });

  it('hears once of the tool call that was announced to the old one, and answers it', async () => {
    const llm = createFakeLlm({
      answers: [[{ type: 'tool-call', name: 'show_map', arguments: '{}' }], [{ type: 'text', text: 'There you are.' }]],
      firstTokenMs: 300,
    });
    const live = await open({ llm, config: { tools: [clientTool('show_map', { toolTimeoutSeconds: 60 })] } });
    const before = await live.connect();
    before.say('Where is it?');
    await cutOnceAcknowledged(before, () => llm.requests.length > 0);
    const after = await live.connect();
    const calls = (): ReceivedMessage[] =>
      [...before.messages, ...after.messages].filter(({ messageType }) => messageType.startsWith('toolCall'));
    await eventually(() => expect(calls().map(({ messageType }) => messageType)).toEqual(['toolCallStarted']));
    after.send('tool_result', { tool_call_id: calls()[0]?.data['tool_call_id'], result: 'shown' });
    await eventually(() => expect(ofPersona(after.messages).at(-1)).toMatchObject({ end_of_speech: true }));
    expect(
      ofPersona(after.messages)
        .map((chunk) => chunk['content'])
        .join(''),
    ).toBe('There you are.');
    expect(calls().map(({ messageType }) => messageType)).toEqual(['toolCallStarted']);
  });
});
