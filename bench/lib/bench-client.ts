import { once } from 'node:events';
import { WebSocket } from 'ws';
import { engineNow } from '../../engine/clock.ts';
import { openLoopbackClient, type LoopbackClientOptions } from '../../engine/transport/testing/loopback-client.ts';
import { silencePacket } from '../../engine/voice/silence-packet.ts';
import type { SpokenSentence } from './spoken-sentence.ts';

export interface BenchClient {
  /** Resolves at `sessionready`. */
  readonly ready: Promise<void>;
  /**
   * Says a sentence at the pace of a microphone.
   * @param onSent is told when each packet of it left. @returns the time when its last voiced sample had been captured.
   */
  say(sentence: SpokenSentence, onSent?: (packet: number, at: number) => void): Promise<number>;
  sendMessage(text: string): boolean;
  close(): void;
}

const PACKET_MS = 20;

/** One user: signalling, media and a microphone that never stops sending, silence included. */
export async function openBenchClient(url: string, sessionId: string, options: LoopbackClientOptions = {}): Promise<BenchClient> {
  const client = openLoopbackClient(options);
  const socket = new WebSocket(`${url}?session_id=${sessionId}`);
  await once(socket, 'open');
  const ready = Promise.withResolvers<void>();
  socket.on('message', (data) => {
    const { actionType, payload } = JSON.parse(String(data)) as { actionType: string; payload: { sdp: string } };
    if (actionType === 'answer') client.acceptAnswer(payload.sdp);
    if (actionType === 'sessionready') ready.resolve();
  });
  socket.send(JSON.stringify({ actionType: 'offer', sessionId, payload: { connectionDescription: { type: 'offer', sdp: client.offer }, userUid: sessionId } }));
  await client.connected;

  const silence = silencePacket();
  let sequence = 0;
  let speaking: { sentence: SpokenSentence; next: number; startedAt: number; onSent: (packet: number, at: number) => void; done: (voicedUntil: number) => void } | null = null;
  const startedAt = engineNow();
  const microphone = setInterval(() => {
    // As many packets as time has passed: a late timer must not slow the microphone down.
    for (const due = Math.floor((engineNow() - startedAt) / PACKET_MS); sequence < due; sequence++) {
      const packet = speaking?.sentence.packets[speaking.next];
      client.sendOpus(packet ?? silence, sequence);
      if (speaking === null) continue;
      if (packet !== undefined) speaking.onSent(speaking.next, engineNow());
      speaking.next += 1;
      if (packet !== undefined) continue;
      speaking.done(speaking.startedAt + speaking.sentence.voicedUntilMs);
      speaking = null;
    }
  }, PACKET_MS / 4);

  return {
    ready: ready.promise,
    say: (sentence, onSent = () => {}) =>
      new Promise((resolve) => {
        // A packet leaves when its last sample has been captured, so the sound began one packet before.
        speaking = { sentence, next: 0, startedAt: startedAt + sequence * PACKET_MS, onSent, done: resolve };
      }),
    sendMessage: (text) => client.sendMessage(text),
    close() {
      clearInterval(microphone);
      client.close();
      socket.close();
    },
  };
}
