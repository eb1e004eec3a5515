import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { engineNow } from '../../../runtime/clock.ts';
import { callApi } from '../../lib/call-api.ts';
import type { Attack } from '../attack.ts';

/** Longer than any burst that is allowed. */
const FLOOD_MS = 10_000;
const UNSENT_BYTES = 8 * 1024 * 1024;

const G711 = {
  type: 'session.update',
  session: { type: 'realtime', audio: { input: { format: { type: 'audio/pcmu' } } } },
};
/** A minute and a half. */
const SOUND = { type: 'input_audio_buffer.append', audio: Buffer.alloc(750_000, 1).toString('base64') };
const part = { type: 'input_text', text: 'word '.repeat(6_000) };
const ITEM = { type: 'conversation.item.create', item: { type: 'message', role: 'user', content: [part] } };

/** A client of `/v1/realtime` that sends as fast as it is read, and reads nothing itself. */
function realtimeFlood(name: string, what: string, message: object): Attack {
  return {
    name,
    what,
    prepare: async () => async (service) => {
      const { data } = await callApi<{ data: { id: string }[] }>(service, 'GET', '/v1/avatars?perPage=1');
      const persona = { name: 'Rita', avatarId: data[0]!.id };
      const { id } = await callApi<{ id: string }>(service, 'POST', '/v1/personas', persona);
      const address = `${service.url.replace('http', 'ws')}/v1/realtime?model=${id}`;
      const socket = new WebSocket(address, ['realtime', `openai-insecure-api-key.${service.apiKey}`]);
      socket.on('error', () => {});
      await once(socket, 'message');
      socket.send(JSON.stringify(G711));
      socket.pause();
      const text = JSON.stringify(message);
      const until = engineNow() + FLOOD_MS;
      let sent = 0;
      for (; engineNow() < until && socket.readyState === socket.OPEN; sent += 1) {
        socket.send(text);
        while (socket.bufferedAmount > UNSENT_BYTES && engineNow() < until) await pause(5);
        if (sent % 100 === 0) await pause(0);
      }
      const unread = socket.bufferedAmount;
      socket.terminate();
      return `${sent} messages, of which ${(unread / 1e6).toFixed(0)} MB were not read`;
    },
  };
}

export const realtimeFloods: readonly Attack[] = [
  realtimeFlood('realtime-sound', 'a Realtime client: 94 s of sound in each message, and it reads nothing', SOUND),
  realtimeFlood(
    'realtime-items',
    'a Realtime client: texts of 30,000 characters without end, and it reads nothing',
    ITEM,
  ),
];
