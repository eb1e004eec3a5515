/**
 * The user speaks while the persona speaks, over loopback WebRTC with the real engine. Measures how soon the persona's
 * volume is lowered, how soon it stops for an interruption, and whether it continues after a backchannel. All is
 * measured on the audio that the client receives. LLM, STT and TTS are stand-ins.
 *
 *   node bench/barge-in.ts [--rounds 6] [--runs 5] [--logs FOLDER]
 *
 * With `--logs`, the log of every run is kept for `npm run replay`.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BroadcastChannel } from 'node:worker_threads';
import { engineNow } from '../runtime/clock.ts';
import { createFakeLlm, type Prompt, promptedRecognizer } from '../models/fakes/index.ts';
import { AVATAR_CACHE } from './lib/avatar-cache.ts';
import { openBenchClient, type BenchClient } from './lib/bench-client.ts';
import { startBenchEngine } from './lib/bench-engine.ts';
import { benchSession } from './lib/bench-session.ts';
import { watchEventLoop } from './lib/event-loop.ts';
import { PersonaAudio } from './lib/persona-audio.ts';
import { speakSentence, type SpokenSentence } from './lib/spoken-sentence.ts';
import { median, spread } from './lib/statistics.ts';
import { stealTimeLine, watchStealTime } from './lib/steal-time.ts';
import { printTable } from './lib/table.ts';

const { values: args } = parseArgs({
  options: {
    rounds: { type: 'string', default: '6' },
    runs: { type: 'string', default: '5' },
    logs: { type: 'string' },
  },
});
const rounds = Number(args.rounds);
const runs = Number(args.runs);

/**
 * Declared delays of the recognizer: from the beginning of a word until it is known, and from `finish` to the final.
 */
const DELAYS = { firstWord: 450, final: 50 };
/** Tells the stand-in recognizer what the voice says, so that it gives no words for other audio. */
const prompts = new BroadcastChannel('barge-in');

/**
 * Levels: lowered is this much quieter than before, back is within this range, and silent is only the decoder's fading.
 */
const LOWERED_DB = 15;
const BACK_DB = 3;
const SILENT_DB = 45;
/** The level before is taken over 200 ms. */
const REFERENCE_PIECES = 40;
/** Pauses in speech are shorter than this. */
const STOPPED_MS = 100;

const OPENING = 'Please tell me a long story.';
const BACKCHANNEL = 'yeah';
const INTERRUPTION = 'Wait, I have another question.';
/** Half a minute of a voice without a pause, at a constant level. */
const STORY = `${Array.from({ length: 150 }, () => 'and so on').join(' ')}.`;

const PACKET_MS = 20;

type Kind = 'interruption' | 'backchannel';

interface Saying {
  readonly text: string;
  readonly spoken: SpokenSentence;
}

interface Overlap {
  readonly kind: Kind;
  /** Ms from the arrival of the first voiced sample. Null: it did not happen. */
  readonly lowered: number | null;
  readonly stopped: number | null;
  readonly back: number | null;
  /** The largest drop of the persona's level, dB. */
  readonly loweredDb: number;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** @returns when the first voiced sample was sent. */
async function say(client: BenchClient, { text, spoken }: Saying): Promise<number> {
  let voiceAt = Number.NaN;
  await client.say(spoken, (packet, at) => {
    if (packet !== spoken.firstVoicedPacket) return;
    voiceAt = at;
    prompts.postMessage({ text, voicedMs: spoken.voicedUntilMs - packet * PACKET_MS } satisfies Prompt);
  });
  return voiceAt;
}

/** Speaks while the persona speaks, and measures the persona's voice. */
async function overlap(kind: Kind, saying: Saying, client: BenchClient, audio: PersonaAudio): Promise<Overlap> {
  // At any time within a VAD window and an audio frame, as people do.
  await pause(700 + Math.random() * 64);
  audio.clear();
  while (audio.since(0).length < REFERENCE_PIECES) await pause(5);
  const usual = median(audio.since(0).map(({ levelDb }) => levelDb));
  const voiceAt = await say(client, saying);
  await pause(kind === 'backchannel' ? 900 : 400);
  const heard = audio.since(voiceAt);
  const after = (from: number | null): number | null => (from === null ? null : from - voiceAt);
  const loweredAt = heard.find(({ levelDb }) => levelDb <= usual - LOWERED_DB)?.at ?? null;
  const backAt =
    loweredAt === null
      ? null
      : (heard.find(({ at, levelDb }) => at > loweredAt && levelDb >= usual - BACK_DB)?.at ?? null);
  return {
    kind,
    lowered: after(loweredAt),
    stopped: after(silentFrom(heard, usual)),
    back: after(backAt),
    loweredDb: usual - Math.min(...heard.map(({ levelDb }) => levelDb)),
  };
}

/** @returns the beginning of a silence that is longer than a pause. */
function silentFrom(heard: ReturnType<PersonaAudio['since']>, usual: number): number | null {
  let from: number | null = null;
  for (const { at, levelDb } of heard) {
    if (levelDb > usual - SILENT_DB) from = null;
    else from ??= at;
    if (from !== null && at - from >= STOPPED_MS) return from;
  }
  return null;
}

async function converse(sayings: Record<Kind | 'opening', Saying>, run: number): Promise<Overlap[]> {
  const bench = await startBenchEngine({
    recognizer: promptedRecognizer({
      channel: prompts.name,
      wordMs: DELAYS.firstWord,
      finalMs: DELAYS.final,
    }),
    synthesizer: { gapMs: 0 },
    avatarCache: AVATAR_CACHE,
  });
  const config = benchSession({
    zeroDataRetention: args.logs === undefined,
    avatar: { avatarId: 'bench', model: 'cara-3', engineKey: bench.engineKey },
  });
  const llm = createFakeLlm({ answers: () => [{ type: 'text', text: STORY }] });
  await bench.engine.createSession(config, { llm, knowledge: { search: async () => [] } });
  const audio = new PersonaAudio();
  const client = await openBenchClient(bench.url, config.sessionId, {
    onAudio: ({ payload, arrivedAt }) => audio.packet(payload, arrivedAt),
  });
  await client.ready;
  await pause(1_000);
  const overlaps: Overlap[] = [];
  await say(client, sayings.opening);
  try {
    for (let round = 0; round < rounds; round++) {
      await personaSpeaks(audio);
      overlaps.push(await overlap('backchannel', sayings.backchannel, client, audio));
      overlaps.push(await overlap('interruption', sayings.interruption, client, audio));
    }
  } catch (error) {
    console.log(`Unexpected: run ${run} ended after ${overlaps.length}: ${String(error)}`);
  }
  client.close();
  await bench.close();
  if (args.logs !== undefined)
    await writeFile(join(args.logs, `barge-in-${run}.jsonl`), bench.logs.get(config.sessionId) ?? '');
  audio.close();
  return overlaps;
}

/** The persona speaks again, so the last turn was answered. */
async function personaSpeaks(audio: PersonaAudio): Promise<void> {
  const from = engineNow();
  for (;;) {
    await pause(20);
    if (audio.since(from).some(({ levelDb }) => levelDb > -30)) return;
    if (engineNow() - from > 10_000) throw new Error('The persona does not answer.');
  }
}

const saying = (text: string): Saying => ({ text, spoken: speakSentence(text) });
const sayings = { opening: saying(OPENING), backchannel: saying(BACKCHANNEL), interruption: saying(INTERRUPTION) };
if (args.logs !== undefined) await mkdir(args.logs, { recursive: true });
const all: Overlap[][] = [];
const delays: number[] = [];
const host = watchStealTime();
for (let run = 0; run < runs; run++) {
  const loop = watchEventLoop();
  all.push(await converse(sayings, run));
  delays.push(loop.stop().p99);
}

const measures: readonly (readonly [string, Kind, (overlap: Overlap) => number | null])[] = [
  ['interruption: first voiced sample → lowered', 'interruption', (o) => o.lowered],
  [`interruption: → stopped (words known after ${DELAYS.firstWord})`, 'interruption', (o) => o.stopped],
  ['sign of listening: first voiced sample → lowered', 'backchannel', (o) => o.lowered],
  ['sign of listening: → at full voice again', 'backchannel', (o) => o.back],
];
console.log(`${rounds} interruptions and ${rounds} signs of listening a run, median of ${runs} runs; ms.`);
printTable(
  ['', 'n', 'p50', 'p95', 'p99'],
  measures.map(([name, kind, measure]) => {
    const results = all.map((run) =>
      spread(
        run
          .filter((o) => o.kind === kind)
          .map(measure)
          .filter((ms) => ms !== null),
      ),
    );
    return [
      name,
      results.reduce((sum, { count }) => sum + count, 0),
      median(results.map((r) => r.p50)),
      median(results.map((r) => r.p95)),
      median(results.map((r) => r.p99)),
    ];
  }),
);
const flat = all.flat();
const share = (kind: Kind, is: (overlap: Overlap) => boolean): string => {
  const of = flat.filter((o) => o.kind === kind);
  return `${of.filter(is).length} of ${of.length}`;
};
console.log(
  `Interruptions that stopped the persona: ${share('interruption', (o) => o.stopped !== null)}. Signs of listening that did: ${share('backchannel', (o) => o.stopped !== null)}; back at full voice: ${share('backchannel', (o) => o.back !== null)}.`,
);
for (const [run, overlaps] of all.entries()) {
  for (const [number, { kind, lowered, stopped, back, loweredDb }] of overlaps.entries()) {
    if (lowered !== null && (kind === 'interruption' ? stopped !== null : stopped === null && back !== null)) continue;
    console.log(
      `Unexpected: run ${run}, number ${number}, ${kind}: lowered by ${loweredDb.toFixed(0)} dB at ${lowered?.toFixed(0)}, stopped ${stopped?.toFixed(0)}, back ${back?.toFixed(0)}`,
    );
  }
}
console.log(`event-loop delay p99: ${median(delays).toFixed(1)} ms (client and server share the thread)`);
console.log(stealTimeLine(host.stop()));
process.exit(0);
