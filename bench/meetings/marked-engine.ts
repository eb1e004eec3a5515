import { OpusDecoder } from '../../engine/audio-in/decode/opus-decoder.ts';
import { OpusEncoder } from '../../engine/audio-out/encode/opus-encoder.ts';
import { FRAME_SAMPLES } from '../../engine/media/audio-format.ts';
import type { Transport } from '../../engine/ports.ts';
import { createFakeLlm, fakeRecognizer } from '../../models/fakes/index.ts';
import { AVATAR_CACHE } from '../lib/avatar-cache.ts';
import { startBenchEngine, type BenchEngine } from '../lib/bench-engine.ts';

/** Declared delays of the providers, ms: as in `turn-latency.ts`. */
export const DELAYS = { recognition: 50, llm: 200, synthesis: 80 } as const;
export const QUESTION = 'Elena, what time is it in London today?';
const ANSWER = 'It is four.';
/** ms between two marks, and of one. */
export const MARK_EVERY_MS = 2_000;
const MARK_MS = 300;
const AMPLITUDE = 16_000;
/** Sample from which on a mark has begun. */
const LOUD = 650;
/** ms of silence between two sounds. */
const QUIET_MS = 400;
/** Utterances that the recognizer has words for: more than anybody says here. */
const UTTERANCES = 1_000;

export interface MarkedEngine extends BenchEngine {
  /** While it is on, every session's voice is a tone at the multiples of `MARK_EVERY_MS` of engine time. */
  mark(on: boolean): void;
  /** When something loud began to arrive from users since the last call, engine time. */
  takeArrivals(): number[];
  readonly llm: ReturnType<typeof createFakeLlm>;
}

/** The real engine, whose audio carries marks just before its transport, and is watched just behind it. */
export async function startMarkedEngine(): Promise<MarkedEngine> {
  let marking = false;
  let arrivals: number[] = [];
  const marked = (transport: Transport): Transport => ({
    ...transport,
    open(sessionId, handlers, video) {
      const decoder = new OpusDecoder();
      let loudAt = -Infinity;
      const watched: typeof handlers = {
        ...handlers,
        audioPacket(packet) {
          const pcm = decoder.decode(packet.payload) ?? new Int16Array();
          for (let i = 0; i < pcm.length; i++) {
            if (Math.abs(pcm[i] ?? 0) < LOUD) continue;
            const at = packet.arrivedAt + i / 48;
            if (at - loudAt > QUIET_MS) arrivals.push(at);
            loudAt = at;
          }
          handlers.audioPacket(packet);
        },
      };
      const connection = transport.open(sessionId, watched, video);
      const [send, close] = [connection.sendAudio.bind(connection), connection.close.bind(connection)];
      const encoder = new OpusEncoder();
      connection.sendAudio = (frame) => send(marking ? { ...frame, data: encoder.encode(markAt(frame.at)) } : frame);
      connection.close = () => {
        close();
        encoder.close();
        decoder.close();
      };
      return connection;
    },
  });
  const bench = await startBenchEngine({
    recognizer: fakeRecognizer({
      utterances: Array.from({ length: UTTERANCES }, () => QUESTION),
      finalMs: DELAYS.recognition,
    }),
    synthesizer: { firstAudioMs: DELAYS.synthesis },
    avatarCache: AVATAR_CACHE,
    wrapTransport: marked,
  });
  return {
    ...bench,
    mark: (on) => (marking = on),
    takeArrivals() {
      const taken = arrivals;
      arrivals = [];
      return taken;
    },
    llm: createFakeLlm({ answers: () => [{ type: 'text', text: ANSWER }], firstTokenMs: DELAYS.llm }),
  };
}

/** A frame of 20 ms: a tone of 1 kHz during a mark, exact to the sample. */
function markAt(at: number): Int16Array {
  return Int16Array.from({ length: FRAME_SAMPLES }, (_, i) => toneAt((at + i / 48) % MARK_EVERY_MS));
}

/** The same marks, for a user's microphone. @param count of them. @returns samples at 48 kHz. */
export function marksPcm(count: number): Int16Array {
  return Int16Array.from({ length: count * MARK_EVERY_MS * 48 }, (_, i) => toneAt((i / 48) % MARK_EVERY_MS));
}

function toneAt(inMark: number): number {
  return inMark < MARK_MS ? Math.round(AMPLITUDE * Math.sin(2 * Math.PI * inMark)) : 0;
}
