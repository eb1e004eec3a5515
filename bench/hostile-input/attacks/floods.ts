import { setTimeout as pause } from 'node:timers/promises';
import { engineNow } from '../../../runtime/clock.ts';
import type { ServiceAddress } from '../../lib/call-api.ts';
import { openHeadlessConversation } from '../../lib/headless-conversation.ts';
import type { Attack } from '../attack.ts';
import { counted } from '../counted.ts';

/** Time of a flood: longer than any burst that is allowed. */
const FLOOD_MS = 10_000;
const UNSENT_BYTES = 8 * 1024 * 1024;

interface Chunk {
  readonly audioData: string;
  readonly sampleRate: number;
  readonly channels: number;
  readonly sequenceNumber: number;
}

const base64 = (bytes: number): string => Buffer.alloc(bytes, 1).toString('base64');
const [LARGE, SMALL] = [base64(700_000), base64(2)];

/** Chunks of client-made speech: as large as they may be, or as small, each of another rate and sequence. */
const LARGE_CHUNKS = (at: number): Chunk => ({ audioData: LARGE, sampleRate: 48_000, channels: 2, sequenceNumber: at });
const SMALL_CHUNKS = (at: number): Chunk => ({
  audioData: SMALL,
  sampleRate: at % 2 === 0 ? 8_000 : 44_100,
  channels: 1,
  sequenceNumber: [0, 5, 0, 0][at % 4]!,
});

function passthroughFlood(chunk: (at: number) => Chunk) {
  return async (service: ServiceAddress): Promise<string> => {
    const user = await openHeadlessConversation(service, { enableAudioPassthrough: true });
    const { signaling } = user.client;
    const until = engineNow() + FLOOD_MS;
    let sent = 0;
    for (; engineNow() < until && user.client.ended() === null; sent += 1) {
      user.client.signal('agentaudioinput', { ...chunk(sent), encoding: 'pcm_s16le' });
      while (signaling.bufferedAmount > UNSENT_BYTES && engineNow() < until) await pause(5);
      if (sent % 100 === 0) await pause(0);
    }
    const unread = signaling.bufferedAmount;
    signaling.terminate();
    user.close();
    return `${sent} chunks, of which ${(unread / 1e6).toFixed(0)} MB were not read`;
  };
}

/** Anybody may send these reports, without a key. */
async function metricsFlood({ url }: ServiceAddress): Promise<string> {
  const report = { name: 'client_error', value: 1, tags: { text: 'x'.repeat(900) } };
  const body = JSON.stringify({ metrics: Array.from({ length: 60 }, () => report) });
  const statuses: number[] = [];
  const until = engineNow() + FLOOD_MS;
  const one = async (): Promise<void> => {
    while (engineNow() < until) {
      const answer = await fetch(`${url}/v1/metrics/client`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      await answer.arrayBuffer();
      statuses.push(answer.status);
    }
  };
  await Promise.all(Array.from({ length: 32 }, one));
  return counted(statuses);
}

export const floods: readonly Attack[] = [
  {
    name: 'nothing',
    what: 'nothing, to compare with',
    prepare: async () => async () => {
      await pause(FLOOD_MS);
      return 'nothing happened';
    },
  },
  {
    name: 'passthrough-large',
    what: 'client-made speech in chunks of 0.9 MB, as fast as they are read',
    prepare: async () => passthroughFlood(LARGE_CHUNKS),
  },
  {
    name: 'passthrough-small',
    what: 'client-made speech of one sample a chunk, each of another rate and sequence',
    prepare: async () => passthroughFlood(SMALL_CHUNKS),
  },
  {
    name: 'client-metrics',
    what: 'reports of clients of 57 KB, over 32 connections, without a key',
    prepare: async () => metricsFlood,
  },
];
