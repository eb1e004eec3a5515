/**
 * How far sound and picture are apart for a receiver that lines them up by their sender reports, as browsers do: the RTP
 * time of every packet is turned into wall-clock time by the latest report that had arrived, and compared with the time
 * at which the engine wanted it heard or seen. What is left between the two streams is skew.
 *
 *   node bench/av-skew.ts [--turns 12]
 */
import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { engineNow } from '../engine/clock.ts';
import type { Transport } from '../engine/ports.ts';
import { silencePacket } from '../engine/voice/silence-packet.ts';
import { createFakeLlm } from '../models/fakes/index.ts';
import { openBenchClient } from './lib/bench-client.ts';
import { startBenchEngine } from './lib/bench-engine.ts';
import { benchSession } from './lib/bench-session.ts';
import { watchEventLoop } from './lib/event-loop.ts';
import { quantile } from './lib/statistics.ts';
import { printTable } from './lib/table.ts';

const { values: args } = parseArgs({ options: { turns: { type: 'string', default: '12' } } });
const turns = Number(args.turns);
const NTP_EPOCH_OFFSET = 2_208_988_800;
const SENDER_REPORT = 200;

/** One stream as a receiver knows it. */
class ReceivedStream {
  readonly #clockPerMs: number;
  /** What the engine handed to the transport, in order. */
  readonly sent: { readonly at: number; readonly handedAt: number }[] = [];
  #report: { readonly ntpMs: number; readonly timestamp: number } | null = null;
  #firstSent: number | null = null;
  #firstCount = 0;

  constructor(clockPerMs: number) {
    this.#clockPerMs = clockPerMs;
  }

  reported(ntpMs: number, timestamp: number): void {
    this.#report = { ntpMs, timestamp };
  }

  /**
   * @param count how many packets (or pictures) came before, lost ones included. @returns how far the time that the receiver
   * gives to it is off, ms; null before the first report.
   */
  errorOf(count: number, timestamp: number, arrivedAt: number): number | null {
    if (this.#firstSent === null) {
      // The first that arrived is the last that had been handed over by then.
      this.#firstSent = this.sent.findLastIndex(({ handedAt }) => handedAt <= arrivedAt);
      this.#firstCount = count;
    }
    const sent = this.sent[this.#firstSent + count - this.#firstCount];
    if (this.#report === null || sent === undefined) return null;
    const ticks = (timestamp - this.#report.timestamp) | 0;
    return this.#report.ntpMs + ticks / this.#clockPerMs - sent.at;
  }
}

const sound = new ReceivedStream(48);
const picture = new ReceivedStream(90);
const watched = (transport: Transport): Transport => ({
  ...transport,
  open(sessionId, handlers) {
    const connection = transport.open(sessionId, handlers);
    const [sendAudio, sendVideo] = [connection.sendAudio.bind(connection), connection.sendVideo.bind(connection)];
    connection.sendAudio = (opus, at) => {
      sound.sent.push({ at, handedAt: engineNow() });
      sendAudio(opus, at);
    };
    connection.sendVideo = (frame) => {
      picture.sent.push({ at: frame.at, handedAt: engineNow() });
      sendVideo(frame);
    };
    return connection;
  },
});

const bench = await startBenchEngine({ recognizer: { provider: 'fake', utterances: [] }, synthesizer: { phonemes: true }, wrapTransport: watched });
const config = benchSession({ avatar: { avatarId: 'bench', model: 'cara-3', engineKey: bench.engineKey } });
await bench.engine.createSession(config, { llm: createFakeLlm({ answers: () => [] }), knowledge: { search: async () => [] } });

const silence = silencePacket();
const soundErrors: number[] = [];
const pictureErrors: number[] = [];
const skews: number[] = [];
let lastPictureError: number | null = null;
let pictures = -1;
let lastPicture: number | null = null;
let lastSequence: number | null = null;
let packets = 0;
const ssrcs: { sound: number | null; picture: number | null } = { sound: null, picture: null };
const loop = watchEventLoop();
const client = await openBenchClient(bench.url, config.sessionId, {
  onAudio({ sequence, timestamp, ssrc, payload, arrivedAt }) {
    ssrcs.sound = ssrc;
    if (lastSequence !== null) packets += ((sequence - lastSequence) << 16) >> 16;
    lastSequence = sequence;
    const error = sound.errorOf(packets, timestamp, arrivedAt);
    if (error === null || lastPictureError === null || payload.equals(silence)) return;
    soundErrors.push(error);
    skews.push(Math.abs(lastPictureError - error));
  },
  onVideo({ timestamp, ssrc, arrivedAt }) {
    ssrcs.picture = ssrc;
    if (timestamp === lastPicture) return;
    lastPicture = timestamp;
    pictures += 1;
    lastPictureError = picture.errorOf(pictures, timestamp, arrivedAt);
    if (lastPictureError !== null) pictureErrors.push(lastPictureError);
  },
  onRtcp(compound) {
    for (let at = 0; at + 28 <= compound.length; at += (compound.readUInt16BE(at + 2) + 1) * 4) {
      if (compound[at + 1] !== SENDER_REPORT) continue;
      const ssrc = compound.readUInt32BE(at + 4);
      const ntpMs = (compound.readUInt32BE(at + 8) - NTP_EPOCH_OFFSET) * 1000 + (compound.readUInt32BE(at + 12) / 2 ** 32) * 1000;
      if (ssrc === ssrcs.sound) sound.reported(ntpMs, compound.readUInt32BE(at + 16));
      if (ssrc === ssrcs.picture) picture.reported(ntpMs, compound.readUInt32BE(at + 16));
    }
  },
});
await client.ready;
for (let turn = 0; turn < turns; turn++) {
  // At any moment of the pacer's 20 ms, as turns begin.
  await sleep(1_500 + ((turn * 7.3) % 20));
  bench.engine.talk(config.sessionId, 'One two three four.');
  await sleep(1_600);
}
const { p99 } = loop.stop();
client.close();
await bench.close();
const figures = (values: readonly number[]): number[] => [values.length, ...[0.5, 0.95, 1].map((q) => quantile(values.map(Math.abs), q))];
console.log(`${turns} turns over loopback; only packets with sound count. Event-loop delay p99 ${p99.toFixed(1)} ms.`);
printTable(['ms', 'n', 'p50', 'p95', 'most'], [
  ['sound, from when it should be heard', ...figures(soundErrors)],
  ['picture, from when it should be seen', ...figures(pictureErrors)],
  ['sound to picture', ...figures(skews)],
]);
process.exit(0);
