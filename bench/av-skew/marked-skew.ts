import { launchBrowser } from '../../engine/testing/browser.ts';
import { connectPage, openSocket } from '../../e2e/support/raw-session.ts';
import { createVideoEncoder } from '../../engine/face/encode/av-encoder.ts';
import type { Transport } from '../../engine/ports.ts';
import { LOOPBACK_FLAGS } from '../../engine/transport/testing/browser-client.ts';
import { FRAME_SAMPLES } from '../../engine/media/audio-format.ts';
import { OpusEncoder } from '../../engine/audio-out/encode/opus-encoder.ts';
import { createFakeLlm, fakeRecognizer } from '../../models/fakes/index.ts';
import { AVATAR_CACHE } from '../lib/avatar-cache.ts';
import { startBenchEngine } from '../lib/bench-engine.ts';
import { benchSession } from '../lib/bench-session.ts';
import { watchEventLoop } from '../lib/event-loop.ts';
import { watchMarks } from './marks-page.ts';

/** Time between two marks, engine time. */
const MARK_EVERY_MS = 1_500;
const MARK_MS = 300;
const [WIDTH, HEIGHT] = [720, 480];
/** Audio and video of a mark must come within this time. Otherwise the mark is not counted. */
const ARRIVES_WITHIN_MS = 900;

export interface MarkedRun {
  /**
   * How much later the video is than the audio, ms, without the delay with which it was sent. One value for each mark
   * after the settling time.
   */
  readonly skew: readonly number[];
  /** From the intended time until it is seen or heard, ms. */
  readonly seenAfter: readonly number[];
  readonly heardAfter: readonly number[];
  readonly loopP99: number;
}

/**
 * The skew that a user perceives, through the engine's clocks, the transport and Chromium. The contents are replaced
 * before the transport: the video turns white and a tone begins at the same time, and the page detects both. It
 * contains the delay of the codecs, which sender reports do not.
 *
 * @param settleSeconds at the beginning, not counted.
 */
export async function measureMarked(seconds: number, settleSeconds: number): Promise<MarkedRun> {
  const frames = flatFrames();
  /** Time of the first white frame by mark. */
  const whiteAt = new Map<number, number>();
  const marking = (transport: Transport): Transport => ({
    ...transport,
    open(...options) {
      const connection = transport.open(...options);
      const [sendAudio, sendVideo] = [connection.sendAudio.bind(connection), connection.sendVideo.bind(connection)];
      const encoder = new OpusEncoder();
      connection.sendAudio = ({ at }) => sendAudio({ data: encoder.encode(tone(at)), at });
      connection.sendVideo = ({ at }) => {
        const white = at % MARK_EVERY_MS < MARK_MS;
        const mark = Math.floor(at / MARK_EVERY_MS) * MARK_EVERY_MS;
        if (white && !whiteAt.has(mark)) whiteAt.set(mark, at);
        sendVideo({ data: white ? frames.white : frames.black, keyframe: true, at });
      };
      return connection;
    },
  });
  const bench = await startBenchEngine({
    recognizer: fakeRecognizer({ utterances: [] }),
    synthesizer: {},
    videoCodecs: ['h264'],
    avatarCache: AVATAR_CACHE,
    wrapTransport: marking,
  });
  const browser = await launchBrowser({ args: LOOPBACK_FLAGS });
  try {
    const config = benchSession({ avatar: { avatarId: 'bench', model: 'cara-3', engineKey: bench.engineKey } });
    await bench.engine.createSession(config, {
      llm: createFakeLlm({ answers: () => [] }),
      knowledge: { search: async () => [] },
    });
    const socket = await openSocket({
      sessionId: config.sessionId,
      url: `${bench.url}?session_id=${config.sessionId}`,
    });
    await connectPage(browser.page, () => socket);
    const loop = watchEventLoop();
    const { seen, heard } = await watchMarks(browser.page, { seconds, skipSeconds: settleSeconds });
    const run: { skew: number[]; seenAfter: number[]; heardAfter: number[] } = {
      skew: [],
      seenAfter: [],
      heardAfter: [],
    };
    for (const [mark, sentAt] of whiteAt) {
      const soon = (at: number): boolean => at >= mark && at < mark + ARRIVES_WITHIN_MS;
      const [seenAt, heardAt] = [seen.find(soon), heard.find(soon)];
      if (seenAt === undefined || heardAt === undefined) continue;
      run.seenAfter.push(seenAt - sentAt);
      run.heardAfter.push(heardAt - mark);
      run.skew.push(seenAt - sentAt - (heardAt - mark));
    }
    return { ...run, loopP99: loop.stop().p99 };
  } finally {
    await browser.close();
    await bench.close();
  }
}

/** Two keyframes: black and white. */
function flatFrames(): { white: Uint8Array; black: Uint8Array } {
  const encoder = createVideoEncoder({
    codec: 'h264',
    width: WIDTH,
    height: HEIGHT,
    bitsPerSecond: 1_000_000,
    effort: 'live',
  });
  const flat = (luma: number): Uint8Array => {
    encoder.frame.planes[0]?.fill(luma);
    for (const plane of encoder.frame.planes.slice(1)) plane.fill(128);
    return Uint8Array.from(encoder.encode(true).data);
  };
  const frames = { white: flat(235), black: flat(16) };
  encoder.close();
  return frames;
}

/** A tone of 1 kHz during a mark, exact to the sample. */
function tone(at: number): Int16Array {
  return Int16Array.from({ length: FRAME_SAMPLES }, (_, i) => {
    const inMark = (at + i / 48) % MARK_EVERY_MS;
    return inMark < MARK_MS ? Math.round(16_000 * Math.sin(2 * Math.PI * inMark)) : 0;
  });
}
