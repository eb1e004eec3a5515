import { setTimeout as sleep } from 'node:timers/promises';
import type { Transport } from '../../engine/ports.ts';
import { silencePacket } from '../../engine/audio-out/encode/silence-packet.ts';
import { createFakeLlm, fakeRecognizer } from '../../models/fakes/index.ts';
import { openBenchClient } from '../lib/bench-client.ts';
import { startBenchEngine } from '../lib/bench-engine.ts';
import { benchSession } from '../lib/bench-session.ts';
import { watchEventLoop } from '../lib/event-loop.ts';

const NTP_EPOCH_OFFSET = 2_208_988_800;
const SENDER_REPORT = 200;

/** Packets are identified by their last bytes. Those of silence and of loops repeat, but much later. */
const ENDING_BYTES = 24;
const ending = (data: Uint8Array): string => Buffer.from(data.subarray(-ENDING_BYTES)).toString('latin1');

/** One stream at the receiver. */
class ReceivedStream {
  readonly #clockPerMs: number;
  /** The intended time of a packet, by its last bytes. */
  readonly #sentAt = new Map<string, number>();
  #report: { readonly ntpMs: number; readonly timestamp: number } | null = null;

  constructor(clockPerMs: number) {
    this.#clockPerMs = clockPerMs;
  }

  sent(data: Uint8Array, at: number): void {
    this.#sentAt.set(ending(data), at);
  }

  reported(ntpMs: number, timestamp: number): void {
    this.#report = { ntpMs, timestamp };
  }

  /**
   * @param payload of the last packet. @returns the error of the receiver's time for it, ms; null before the first
   * report.
   */
  errorOf(payload: Uint8Array, timestamp: number): number | null {
    const at = this.#sentAt.get(ending(payload));
    if (this.#report === null || at === undefined) return null;
    const ticks = (timestamp - this.#report.timestamp) | 0;
    return this.#report.ntpMs + ticks / this.#clockPerMs - at;
  }
}

export interface ServerSkew {
  /** Error of the receiver's times for audio packets, ms. Silence does not count. */
  readonly audio: readonly number[];
  readonly frame: readonly number[];
  /** The skew of the two streams at each audio packet. */
  readonly skew: readonly number[];
  readonly loopP99: number;
}

/**
 * The skew that the server adds, without a browser. The RTP time of each packet is turned into wall-clock time by the
 * last sender report, and compared with the engine's intended time.
 */
export async function measureServer(turns: number): Promise<ServerSkew> {
  const audio = new ReceivedStream(48);
  const videoFrame = new ReceivedStream(90);
  const bench = await startBenchEngine({
    recognizer: fakeRecognizer({ utterances: [] }),
    synthesizer: { phonemes: true },
    wrapTransport: (transport) => watched(transport, audio, videoFrame),
  });
  const config = benchSession({ avatar: { avatarId: 'bench', model: 'cara-3', engineKey: bench.engineKey } });
  await bench.engine.createSession(config, {
    llm: createFakeLlm({ answers: () => [] }),
    knowledge: { search: async () => [] },
  });

  const silence = silencePacket();
  const audioErrors: number[] = [];
  const frameErrors: number[] = [];
  const skews: number[] = [];
  let lastFrameError: number | null = null;
  const ssrcs: { audio: number | null; frame: number | null } = { audio: null, frame: null };
  const loop = watchEventLoop();
  const client = await openBenchClient(bench.url, config.sessionId, {
    onAudio({ timestamp, ssrc, payload }) {
      ssrcs.audio = ssrc;
      const error = audio.errorOf(payload, timestamp);
      if (error === null || lastFrameError === null || payload.equals(silence)) return;
      audioErrors.push(error);
      skews.push(Math.abs(lastFrameError - error));
    },
    onVideo({ timestamp, ssrc, payload, marker }) {
      ssrcs.frame = ssrc;
      if (!marker) return;
      lastFrameError = videoFrame.errorOf(payload, timestamp);
      if (lastFrameError !== null) frameErrors.push(lastFrameError);
    },
    onRtcp(compound) {
      for (const { ssrc, ntpMs, timestamp } of senderReports(compound)) {
        if (ssrc === ssrcs.audio) audio.reported(ntpMs, timestamp);
        if (ssrc === ssrcs.frame) videoFrame.reported(ntpMs, timestamp);
      }
    },
  });
  await client.ready;
  for (let turn = 0; turn < turns; turn++) {
    // At any time within the pacer's 20 ms, like real turns.
    await sleep(1_500 + ((turn * 7.3) % 20));
    bench.engine.talk(config.sessionId, 'One two three four.');
    await sleep(1_600);
  }
  const { p99: loopP99 } = loop.stop();
  client.close();
  await bench.close();
  return { audio: audioErrors, frame: frameErrors, skew: skews, loopP99 };
}

/** Tells both streams when the engine means each frame to be heard and seen. */
function watched(transport: Transport, audio: ReceivedStream, videoFrame: ReceivedStream): Transport {
  return {
    ...transport,
    open(...options) {
      const connection = transport.open(...options);
      const [sendAudio, sendVideo] = [connection.sendAudio.bind(connection), connection.sendVideo.bind(connection)];
      connection.sendAudio = (frame) => {
        audio.sent(frame.data, frame.at);
        sendAudio(frame);
      };
      connection.sendVideo = (frame) => {
        videoFrame.sent(frame.data, frame.at);
        sendVideo(frame);
      };
      return connection;
    },
  };
}

/** Which wall-clock time, in ms, belongs to which RTP time. */
function* senderReports(compound: Buffer): Generator<{ ssrc: number; ntpMs: number; timestamp: number }> {
  for (let at = 0; at + 28 <= compound.length; at += (compound.readUInt16BE(at + 2) + 1) * 4) {
    if (compound[at + 1] !== SENDER_REPORT) continue;
    const seconds = compound.readUInt32BE(at + 8) - NTP_EPOCH_OFFSET;
    const ntpMs = seconds * 1000 + (compound.readUInt32BE(at + 12) / 2 ** 32) * 1000;
    yield { ssrc: compound.readUInt32BE(at + 4), ntpMs, timestamp: compound.readUInt32BE(at + 16) };
  }
}
