import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemTimers } from '../runtime/clock.ts';
import type { AudioOutHandlers, AudioOutStream } from '../engine/ports.ts';
import { FRAME_SAMPLES } from '../engine/media/audio-format.ts';
import { createAudioOut } from '../engine/audio-out/index.ts';
import { MouthFromAudio } from '../engine/audio-out/mouth/mouth-from-audio.ts';
import { OpusEncoder } from '../engine/audio-out/encode/opus-encoder.ts';
import { createFakeSynthesizer } from '../models/fakes/index.ts';
import { createOfflineSynthesizer } from '../models/tts/offline.ts';
import type { SpeechSynthesizer } from '../models/ports.ts';
import { watchEventLoop } from './lib/event-loop.ts';
import { quantile } from './lib/statistics.ts';
import { printTable } from './lib/table.ts';

/**
 * What audio-out costs: the time from `say` to the first packet with audio, the time from `cut` to the last one, and
 * how late audio frames are while many sessions speak.
 *
 *   node bench/audio-out.ts --sessions 10 --rounds 30
 */
const { values } = parseArgs({
  options: { sessions: { type: 'string', default: '10' }, rounds: { type: 'string', default: '30' } },
});
const sessions = Number(values.sessions);
const rounds = Number(values.rounds);
const { now } = systemTimers;

interface Speaker {
  readonly output: AudioOutStream;
  /** Engine time of the last frame with audio, and of the first one since `expectAudio`. */
  lastAudioAt: number;
  firstAudio: PromiseWithResolvers<number>;
  readonly lateness: number[];
}

const silent = {
  report() {},
  mouth() {},
  mouthStopped() {},
} satisfies Partial<AudioOutHandlers>;

function openSpeakers(
  synthesizer: SpeechSynthesizer,
  providerVoiceId: string,
  count: number,
): { speakers: Speaker[]; close(): Promise<void> } {
  const voice = createAudioOut({
    synthesizers: { BENCH: synthesizer },
    timers: systemTimers,
    log: { warn: (fields, message) => console.log(message, fields) },
  });
  const speakers = Array.from({ length: count }, (_, index) => {
    const speaker: Speaker = {
      lastAudioAt: 0,
      firstAudio: Promise.withResolvers(),
      lateness: [],
      output: voice.open({
        sessionId: `bench-${index}`,
        provider: 'BENCH',
        providerVoiceId,
        tuning: {},
        passthrough: false,
        handlers: {
          ...silent,
          frame: ({ at }) => {
            const leftAt = now();
            // Early frames are not late.
            speaker.lateness.push(Math.max(0, leftAt - at));
          },
          audio: (pcm) => {
            if (pcm === null) return;
            speaker.lastAudioAt = now();
            speaker.firstAudio.resolve(speaker.lastAudioAt);
          },
        },
      }),
    };
    speaker.output.start();
    return speaker;
  });
  return { speakers, close: () => voice.close() };
}

const SENTENCE = 'This is a sentence of about ten words to be spoken.';

/** Speakers start and are cut at different times within a frame. */
async function measure(
  synthesizer: SpeechSynthesizer,
  voiceId: string,
  count: number,
): Promise<{ first: number[]; stop: number[]; late: number[] }> {
  const { speakers, close } = openSpeakers(synthesizer, voiceId, count);
  await sleep(500);
  const first: number[] = [];
  const stop: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await Promise.all(
      speakers.map(async (speaker, index) => {
        await sleep((index * 37 + round * 7) % 100);
        speaker.firstAudio = Promise.withResolvers();
        const saidAt = now();
        speaker.output.say({ segmentId: `${round}`, text: SENTENCE, language: 'en', pauseMs: 0 });
        first.push((await speaker.firstAudio.promise) - saidAt);
        await sleep(150 + ((index * 13 + round * 3) % 40));
        const cutAt = now();
        speaker.output.cut();
        await sleep(60);
        stop.push(Math.max(0, speaker.lastAudioAt - cutAt));
      }),
    );
  }
  const late = speakers.flatMap(({ lateness }) => lateness);
  await close();
  return { first, stop, late };
}

/** @returns CPU time of this thread for 20 ms of audio, ms. */
function costPerFrame(run: (frame: Int16Array) => unknown): number {
  const frames = Array.from({ length: 500 }, (_, index) =>
    Int16Array.from({ length: FRAME_SAMPLES }, (_, k) => {
      const at = index * FRAME_SAMPLES + k;
      return (
        8_000 * Math.sin((2 * Math.PI * 150 * at) / 48_000) +
        3_000 * Math.sin((2 * Math.PI * (700 + (index % 20) * 50) * at) / 48_000)
      );
    }),
  );
  for (const frame of frames.slice(0, 200)) run(frame);
  const before = process.threadCpuUsage();
  for (const frame of frames) run(frame);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000 / frames.length;
}

const loop = watchEventLoop();
const plain = new OpusEncoder('plain');
const guarded = new OpusEncoder('protected');
const mouth = new MouthFromAudio();
printTable(
  ['CPU per 20 ms frame', 'ms'],
  [
    ['Opus encoding', costPerFrame((frame) => plain.encode(frame)).toFixed(3)],
    ['Opus encoding, protected against loss', costPerFrame((frame) => guarded.encode(frame)).toFixed(3)],
    ['mouth from sound', costPerFrame((frame) => mouth.add(frame)).toFixed(3)],
  ],
);
plain.close();
guarded.close();

const offline = createOfflineSynthesizer();
const cases: [string, SpeechSynthesizer, string, number][] = [
  ['fake voice, no delay, 1 session', createFakeSynthesizer(), 'tone', 1],
  [`fake voice, no delay, ${sessions} sessions`, createFakeSynthesizer(), 'tone', sessions],
  ['flite, 1 session', offline, 'slt', 1],
  ['espeak-ng, 1 session', offline, 'espeak-male', 1],
];
const rows: string[][] = [];
for (const [name, synthesizer, voiceId, count] of cases) {
  const { first, stop, late } = await measure(synthesizer, voiceId, count);
  rows.push([
    name,
    ...[first, stop, late].flatMap((figures) => [
      quantile(figures, 0.5).toFixed(2),
      quantile(figures, 0.95).toFixed(2),
    ]),
  ]);
}
printTable(['', 'text → packet p50', 'p95', 'cut → last packet p50', 'p95', 'frame late p50', 'p95'], rows);
console.log('Event-loop delay of this thread, ms:', loop.stop());
await offline.close();
