import { once } from 'node:events';
import { WebSocket } from 'ws';
import { engineNow } from '../../engine/clock.ts';
import { openLoopbackClient, type LoopbackClientOptions } from '../../engine/transport/testing/loopback-client.ts';
import { silencePacket } from '../../engine/audio-out/encode/silence-packet.ts';
import type { SpokenSentence } from './spoken-sentence.ts';

export interface BenchClient {
  /** Resolves at `sessionready`, when messages can be sent. */
  readonly ready: Promise<void>;
  /**
   * Speaks a sentence in real time. @param onSent called for each packet that was sent. @returns the time at which its
   * last voiced sample was captured.
   */
  say(sentence: SpokenSentence, onSent?: (packet: number, at: number) => void): Promise<number>;
  sendMessage(text: string): boolean;
  /** Why the service ended the session. Null: it has not ended. */
  ended(): string | null;
  /** Sends a bandwidth estimate, as a browser does. @returns false before the first video frame. */
  allowBitrate(bitsPerSecond: number): boolean;
  close(): void;
}

const PACKET_MS = 20;

/** One user: signaling, media and a microphone that always sends, also silence. */
export async function openBenchClient(
  url: string,
  sessionId: string,
  options: LoopbackClientOptions = {},
): Promise<BenchClient> {
  let framesSsrc: number | null = null;
  const client = openLoopbackClient({
    ...options,
    onVideo(packet) {
      framesSsrc = packet.ssrc;
      options.onVideo?.(packet);
    },
  });
  const socket = new WebSocket(`${url}?session_id=${sessionId}`);
  await once(socket, 'open');
  // A service that ends is noticed when no packets come any more.
  socket.on('error', () => undefined);
  const ready = Promise.withResolvers<void>();
  let ended: string | null = null;
  socket.on('message', (data) => {
    const { actionType, payload } = JSON.parse(String(data)) as { actionType: string; payload: { sdp: string } };
    if (actionType === 'answer') client.acceptAnswer(payload.sdp);
    if (actionType === 'sessionready') ready.resolve();
    if (actionType === 'endsession') ended = String(payload);
  });
  socket.send(
    JSON.stringify({
      actionType: 'offer',
      sessionId,
      payload: { connectionDescription: { type: 'offer', sdp: client.offer }, userUid: sessionId },
    }),
  );
  await client.connected;

  const silence = silencePacket();
  let sequence = 0;
  let speaking: {
    sentence: SpokenSentence;
    next: number;
    startedAt: number;
    onSent: (packet: number, at: number) => void;
    done: (voicedUntil: number) => void;
  } | null = null;
  const startedAt = engineNow();
  const microphone = setInterval(() => {
    // Sends as many packets as are due, so that a late timer does not slow the microphone.
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
    ready: Promise.all([ready.promise, client.channelOpen]).then(() => undefined),
    say: (sentence, onSent = () => {}) =>
      new Promise((resolve) => {
        // A packet is sent when its last sample was captured, so its audio began one packet before.
        speaking = { sentence, next: 0, startedAt: startedAt + sequence * PACKET_MS, onSent, done: resolve };
      }),
    sendMessage: (text) => client.sendMessage(text),
    ended: () => ended,
    allowBitrate: (bitsPerSecond) => framesSsrc !== null && client.sendRtcp(maxBitrate(bitsPerSecond, framesSsrc)),
    close() {
      clearInterval(microphone);
      client.close();
      socket.close();
    },
  };
}

/** RTCP "receiver estimated maximum bitrate": the rate as 18 bits and an exponent of two. */
function maxBitrate(bitsPerSecond: number, ssrc: number): Buffer {
  const exponent = Math.max(0, Math.ceil(Math.log2(bitsPerSecond / 2 ** 18)));
  const packet = Buffer.alloc(24);
  packet.set([0x8f, 206, 0, 5]);
  packet.writeUInt32BE(1, 4);
  packet.write('REMB', 12, 'latin1');
  packet[16] = 1;
  packet.writeUIntBE((exponent << 18) | Math.floor(bitsPerSecond / 2 ** exponent), 17, 3);
  packet.writeUInt32BE(ssrc, 20);
  return packet;
}
