import type { ServerResponse } from 'node:http';

/** A server-sent event with its name, as the Messages API sends them. */
export type NamedEvent = readonly [name: string, data: object];

export function namedEvents(
  response: ServerResponse,
  events: readonly NamedEvent[],
  end: 'close' | 'open' = 'close',
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const [name, data] of events) response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
  if (end === 'close') response.end();
}

export function messageOf(): NamedEvent {
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null };
  const usage = { input_tokens: 9, output_tokens: 1, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
  return ['message_start', { type: 'message_start', message: { ...message, stop_sequence: null, usage } }];
}

export function blockOf(index: number, block: object, deltas: readonly object[]): NamedEvent[] {
  return [
    ['content_block_start', { type: 'content_block_start', index, content_block: block }],
    ...deltas.map((delta): NamedEvent => ['content_block_delta', { type: 'content_block_delta', index, delta }]),
    ['content_block_stop', { type: 'content_block_stop', index }],
  ];
}

export function textOf(index: number, words: readonly string[]): NamedEvent[] {
  const deltas = words.map((text) => ({ type: 'text_delta', text }));
  return blockOf(index, { type: 'text', text: '' }, deltas);
}

export function toolUseOf(index: number, id: string, name: string, pieces: readonly string[]): NamedEvent[] {
  const deltas = pieces.map((piece) => ({ type: 'input_json_delta', partial_json: piece }));
  return blockOf(index, { type: 'tool_use', id, name, input: {} }, deltas);
}

export function stopOf(reason: string): NamedEvent[] {
  const delta = { stop_reason: reason, stop_sequence: null };
  return [
    ['message_delta', { type: 'message_delta', delta, usage: { output_tokens: 15 } }],
    ['message_stop', { type: 'message_stop' }],
  ];
}
