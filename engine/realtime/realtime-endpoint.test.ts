import { afterEach, describe, expect, it } from 'vitest';
import { openRealtimeEndpoint, speech } from './testing/open-endpoint.ts';

const open: { close(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

function attached(...given: Parameters<typeof openRealtimeEndpoint>) {
  const endpoint = openRealtimeEndpoint(...given);
  open.push(endpoint);
  expect(endpoint.attach()).toBe(true);
  return endpoint;
}

const TOOL = { type: 'function', name: 'get_weather', description: 'Weather', parameters: { type: 'object' } };
const text = (content: string) => ({
  type: 'conversation.item.create',
  item: { type: 'message', role: 'user', content: [{ type: 'input_text', text: content }] },
});
const WHOLE_ANSWER = [
  'response.created',
  'response.output_item.added',
  'conversation.item.added',
  'response.content_part.added',
  'response.output_audio.delta',
  'response.output_audio_transcript.delta',
  'response.output_audio.done',
  'response.output_audio_transcript.done',
  'response.content_part.done',
  'response.output_item.done',
  'conversation.item.done',
  'response.done',
];

describe('a Realtime client', () => {
  it('is told of its session, which begins then, and no second one comes in', () => {
    const { socket, told, attach } = attached();
    expect(socket.sent).toMatchObject([
      { type: 'session.created', session: { type: 'realtime', id: 'sess_session', model: 'persona' } },
    ]);
    expect(told).toEqual(['enter', 'connected', 'channel']);
    expect(attach()).toBe(false);
  });

  it('sets instructions and functions, which the session gets', () => {
    const { send, events, socket } = attached();
    send({ type: 'session.update', session: { type: 'realtime', instructions: 'Be brief.', tools: [TOOL] } });
    expect(events).toMatchObject([
      { type: 'client.instructs', instructions: 'Be brief.', tools: [{ kind: 'client', name: 'get_weather' }] },
    ]);
    expect(socket.sent.at(-1)).toMatchObject({ type: 'session.updated', session: { instructions: 'Be brief.' } });
  });

  it('cannot change what the persona does with a session token, and may change the rest', () => {
    const { send, events, socket } = attached({ behavior: 'fixed' });
    const audio = { output: { format: { type: 'audio/pcma' } } };
    send({ type: 'session.update', event_id: 'e1', session: { type: 'realtime', instructions: 'Obey me.', audio } });
    expect(events).toEqual([]);
    expect(socket.sent.slice(1)).toMatchObject([
      { type: 'error', error: { code: 'not_allowed', event_id: 'e1' } },
      { type: 'session.updated', session: { instructions: '', audio: { output: { format: { type: 'audio/pcma' } } } } },
    ]);
  });

  it('asks in text, and hears and reads the answer in the order of the interface', () => {
    const { send, messages, sounds, tells, types } = attached();
    types();
    send(text('How are you?'));
    expect(types()).toEqual(['conversation.item.added', 'conversation.item.done']);
    send({ type: 'response.create' });
    expect(messages).toEqual([{ message_type: 'speech', content: 'How are you?' }]);
    sounds(10);
    tells('speechText', speech('persona', 'I am well.'));
    tells('speechText', speech('persona', '', { end_of_speech: true }));
    expect(types()).toEqual(WHOLE_ANSWER);
  });

  it('may write 64 texts before it asks for an answer', () => {
    const { send, messages, socket } = attached();
    for (let at = 0; at < 65; at += 1) send(text(`Text ${at}.`));
    expect(socket.sent.at(-1)).toMatchObject({ type: 'error', error: { code: 'too_many_items' } });
    send({ type: 'response.create' });
    expect(messages).toHaveLength(1);
    expect((messages[0] as { content: string }).content.split('\n')).toHaveLength(64);
  });

  it('is told of the user’s voice, and of the words when the turn is over', () => {
    const { tells, types, socket } = attached();
    types();
    tells('userSpeechStarted', { user_action_correlation_id: 'turn-1' });
    tells('userSpeechEnded', { user_action_correlation_id: 'turn-1' });
    tells('speechText', speech('user', 'Good morning.'));
    const items = socket.sent.map((event) => event['item_id'] ?? (event['item'] as { id: string }).id);
    expect(new Set(items).size).toBe(1);
    expect(socket.sent.at(-1)).toMatchObject({ transcript: 'Good morning.' });
    expect(types()).toEqual([
      'input_audio_buffer.speech_started',
      'input_audio_buffer.speech_stopped',
      'input_audio_buffer.committed',
      'conversation.item.added',
      'conversation.item.done',
      'conversation.item.input_audio_transcription.completed',
    ]);
  });

  it('hears of a voice over the persona only when it interrupts: it would stop playing for a cough', () => {
    const { sounds, tells, types } = attached();
    sounds(3);
    tells('speechText', speech('persona', 'One two'));
    types();
    tells('userSpeechStarted', { user_action_correlation_id: 'turn-2' });
    tells('userSpeechEnded', { user_action_correlation_id: 'turn-2' });
    expect(types()).toEqual([]);
    tells('userSpeechStarted', { user_action_correlation_id: 'turn-2' });
    tells('speechText', speech('persona', '', { end_of_speech: true, interrupted: true }));
    const told = types();
    expect(told[0]).toBe('input_audio_buffer.speech_started');
    expect(told.at(-1)).toBe('response.done');
    // The last sound fades out.
    sounds(2);
    expect(types()).toEqual([]);
  });

  // "Stop, please." is understood 0.2 s after it: the answer was cancelled, and the client heard of the voice only with its
  // transcript, a second later. Until then it played what it had.
  it('hears of a voice that is over when its words show that it interrupted', () => {
    const { sounds, tells, types } = attached();
    sounds(3);
    tells('speechText', speech('persona', 'One two'));
    types();
    tells('userSpeechStarted', { user_action_correlation_id: 'turn-2' });
    tells('userSpeechEnded', { user_action_correlation_id: 'turn-2' });
    tells('speechText', speech('persona', '', { end_of_speech: true, interrupted: true }));
    const told = types();
    expect(told.slice(0, 2)).toEqual(['input_audio_buffer.speech_started', 'input_audio_buffer.speech_stopped']);
    expect(told.at(-1)).toBe('response.done');
  });

  const CUT = { type: 'speech.cut', segmentId: 's', playedMs: 60 } as const;

  // The answer is over for sure only when the user has finished, 2.3 s later: so long a client went on with what it had.
  it('hears of the interruption as soon as the persona is silent', () => {
    const { endpoint, sounds, tells, types } = attached();
    sounds(3);
    tells('speechText', speech('persona', 'One two'));
    tells('userSpeechStarted', { user_action_correlation_id: 'turn-2' });
    types();
    endpoint.reported(CUT);
    expect(types()).toEqual(['input_audio_buffer.speech_started']);
    tells('userSpeechEnded', { user_action_correlation_id: 'turn-2' });
    tells('speechText', speech('persona', '', { end_of_speech: true, interrupted: true }));
    const told = types();
    expect(told[0]).toBe('input_audio_buffer.speech_stopped');
    expect(told).not.toContain('input_audio_buffer.speech_started');
    expect(told.at(-1)).toBe('response.done');
  });

  it('is told of no voice when the persona stops for another reason', () => {
    const { endpoint, sounds, types } = attached();
    sounds(3);
    types();
    endpoint.reported(CUT);
    expect(types()).toEqual([]);
  });

  it('runs a function, and its answer is a response of its own', () => {
    const { send, messages, tells, types, socket, sounds } = attached();
    types();
    tells('toolCallStarted', {
      tool_call_id: 'fc_1',
      tool_name: 'get_weather',
      tool_type: 'client',
      arguments: { city: 'Paris' },
    });
    const done = socket.sent.at(-1) as { response: { output: unknown } };
    expect(done.response).toMatchObject({
      status: 'completed',
      output: [{ type: 'function_call', call_id: 'fc_1', name: 'get_weather', arguments: '{"city":"Paris"}' }],
    });
    types();
    send({
      type: 'conversation.item.create',
      item: { type: 'function_call_output', call_id: 'fc_1', output: 'sunny' },
    });
    send({ type: 'response.create' });
    expect(messages).toEqual([{ message_type: 'tool_result', tool_call_id: 'fc_1', result: 'sunny' }]);
    expect(types()).toEqual(['conversation.item.added', 'conversation.item.done']);
    sounds(1);
    expect(types()[0]).toBe('response.created');
  });

  it('is not told of tools that run elsewhere', () => {
    const { tells, types } = attached();
    types();
    tells('toolCallStarted', { tool_call_id: 'fc_1', tool_name: 'x', tool_type: 'server', arguments: {} });
    expect(types()).toEqual([]);
  });

  it('stops the persona by a cancellation, and by a truncation of what is heard', () => {
    const { send, messages, sounds, socket } = attached();
    send({ type: 'response.cancel' });
    expect(socket.sent.at(-1)).toMatchObject({ error: { code: 'response_cancel_not_active' } });
    sounds(2);
    send({ type: 'response.cancel' });
    expect(messages).toEqual([{ message_type: 'interrupt' }]);
    const added = socket.sent.find(({ type }) => type === 'response.output_item.added') as { item: { id: string } };
    const { id } = added.item;
    send({ type: 'conversation.item.truncate', item_id: id, content_index: 0, audio_end_ms: 20 });
    expect(messages).toHaveLength(2);
    expect(socket.sent.at(-1)).toMatchObject({ type: 'conversation.item.truncated', item_id: id, audio_end_ms: 20 });
    send({ type: 'conversation.item.retrieve', item_id: id });
    expect(socket.sent.at(-1)).toMatchObject({ type: 'conversation.item.retrieved', item: { id } });
  });

  it('hears the first message of the persona when it asks for an answer to nothing, once', () => {
    const { send, events, socket } = attached({ greeting: 'Welcome.' });
    send({ type: 'response.create' });
    expect(events).toEqual([{ type: 'client.talk', content: 'Welcome.' }]);
    send({ type: 'response.create' });
    expect(socket.sent.at(-1)).toMatchObject({ error: { code: 'nothing_to_answer' } });
  });

  it('takes names of the beta', () => {
    const { sounds, tells, types, socket } = attached({}, 'beta');
    expect(socket.sent[0]).toMatchObject({ session: { input_audio_format: 'pcm16', modalities: ['audio', 'text'] } });
    types();
    sounds(1);
    tells('speechText', speech('persona', 'Yes.', { end_of_speech: true }));
    expect(types()).toEqual([
      'response.created',
      'response.output_item.added',
      'conversation.item.created',
      'response.content_part.added',
      'response.audio.delta',
      'response.audio_transcript.delta',
      'response.audio.done',
      'response.audio_transcript.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.done',
    ]);
  });

  it.each([
    ['{', 'invalid_json'],
    ['{"type":"nonsense"}', 'invalid_value'],
    ['{"type":"conversation.item.delete","item_id":"x"}', 'invalid_value'],
    ['{"type":"session.update","session":{"output_modalities":["text"]}}', 'invalid_value'],
    ['{"type":"session.update","session":{"tools":[{"type":"mcp"}]}}', 'invalid_value'],
    ['{"type":"session.update","session":{"audio":{"input":{"format":{"type":"audio/mp3"}}}}}', 'invalid_value'],
    [
      '{"type":"session.update","session":{"turn_detection":{"type":"server_vad","create_response":false}}}',
      'invalid_value',
    ],
  ])('is told what is wrong, and the session goes on: %s', (raw, code) => {
    const { socket } = attached();
    socket.emit('message', Buffer.from(raw), false);
    expect(socket.sent.at(-1)).toMatchObject({ type: 'error', error: { code } });
    expect(socket.closedWith).toBeNull();
  });

  it('ends its session when it leaves, and is told when the session ends', () => {
    const { socket, events } = attached();
    socket.emit('close');
    expect(events).toEqual([{ type: 'client.hangUp' }]);
    const other = attached();
    other.close();
    expect(other.socket.closedWith).toBe(1000);
  });
});
