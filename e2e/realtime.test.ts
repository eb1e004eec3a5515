import { once } from 'node:events';
import { beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { ServiceAccess } from './support/service.ts';
import { sharedService } from './support/shared-service.ts';

type Event = Readonly<Record<string, unknown>> & { readonly type: string };

let service: ServiceAccess;
let personaId: string;

beforeAll(async () => {
  service = await sharedService();
  const { data } = await service.api<{ data: { id: string }[] }>('GET', '/v1/avatars');
  const persona = { name: 'Rita', avatarId: data[0]!.id, initialMessage: 'Welcome to the shop.' };
  personaId = (await service.api<{ id: string }>('POST', '/v1/personas', persona)).id;
});

function connect(key: string, model: string): { socket: WebSocket; events: Event[] } {
  const address = `${service.url.replace('http', 'ws')}/v1/realtime?model=${model}`;
  const socket = new WebSocket(address, ['realtime', `openai-insecure-api-key.${key}`]);
  const events: Event[] = [];
  socket.on('message', (text: Buffer) => events.push(JSON.parse(String(text)) as Event));
  socket.on('error', () => {});
  return { socket, events };
}

it('a persona talks over /v1/realtime as a model does, and its session is in the records', async () => {
  const { socket, events } = connect(service.apiKey, personaId);
  await expect.poll(() => events[0]).toMatchObject({ type: 'session.created' });
  expect(socket.protocol).toBe('realtime');
  socket.send(JSON.stringify({ type: 'response.create' }));
  await expect
    .poll(() => events.find(({ type }) => type === 'response.done'))
    .toMatchObject({
      response: { status: 'completed', output: [{ content: [{ transcript: 'Welcome to the shop.' }] }] },
    });
  const sound = events.filter(({ type }) => type === 'response.output_audio.delta');
  const seconds = sound.reduce((sum, { delta }) => sum + Buffer.from(String(delta), 'base64').length, 0) / 48_000;
  expect(seconds).toBeGreaterThan(0.8);
  socket.close();
  const { id } = events[0]!['session'] as { id: string };
  const sessionId = id.replace('sess_', '');
  await expect
    .poll(async () => service.api('GET', `/v1/sessions/${sessionId}`))
    .toMatchObject({ personaId, endReason: 'client_disconnected' });
});

it.each([
  ['wrong-key', () => personaId, 401],
  ['', () => '0b0cfd4b-9a4d-4a5b-8d1c-2f1f3a7f6c55', 404],
])('refuses the handshake with a status and a sentence: %s', async (key, model, status) => {
  const { socket } = connect(key || service.apiKey, model());
  const [, response] = (await once(socket, 'unexpected-response')) as [
    unknown,
    NodeJS.ReadableStream & { statusCode: number },
  ];
  expect(response.statusCode).toBe(status);
  let body = '';
  for await (const piece of response) body += String(piece);
  expect(JSON.parse(body)).toMatchObject({ error: { message: expect.any(String) } });
});
