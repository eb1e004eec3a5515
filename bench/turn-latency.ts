/**
 * How long a turn takes, by stage, over loopback WebRTC with the real engine: from the last voiced sample of the user
 * to the first packet of the persona's voice. STT, LLM and TTS are stand-ins with declared delays. What exceeds these
 * delays is Parley's own.
 *
 *   node bench/turn-latency.ts [--sessions 1] [--turns 6] [--runs 5]
 */
import { parseArgs } from 'node:util';
import type { TurnRecord } from '../actors/report.ts';
import { silencePacket } from '../engine/audio-out/encode/silence-packet.ts';
import { createFakeLlm, fakeRecognizer } from '../models/fakes/index.ts';
import { AVATAR_CACHE } from './lib/avatar-cache.ts';
import { openBenchClient } from './lib/bench-client.ts';
import { startBenchEngine, type BenchEngine } from './lib/bench-engine.ts';
import { benchSession } from './lib/bench-session.ts';
import { watchEventLoop } from './lib/event-loop.ts';
import { speakSentence, type SpokenSentence } from './lib/spoken-sentence.ts';
import { median, spread, type Spread } from './lib/statistics.ts';
import { stealTimeLine, watchStealTime } from './lib/steal-time.ts';
import { printTable } from './lib/table.ts';

const { values: args } = parseArgs({
  options: {
    sessions: { type: 'string', default: '1' },
    turns: { type: 'string', default: '6' },
    runs: { type: 'string', default: '5' },
  },
});
const sessions = Number(args.sessions);
const turns = Number(args.turns);
const runs = Number(args.runs);

/** Declared delays of the providers, ms: typical of good hosted ones. */
const DELAYS = { recognition: 50, llm: 200, synthesis: 80 };
/** The wait for a sentence that looks complete, with `endOfSpeechSensitivity` 0.5. It is 1.2 s at 0 and 0.2 s at 1. */
const CONFIGURED_SILENCE_MS = 700;
const SENTENCE = 'What time is it in London today?';
const ANSWER = 'It is four.';

interface Turn {
  readonly whole: number;
  readonly record: TurnRecord;
}

/** @returns the turns of one user who waits for each answer before he speaks again. */
async function converse(bench: BenchEngine, sentence: SpokenSentence): Promise<Turn[]> {
  const config = benchSession({ avatar: { avatarId: 'bench', model: 'cara-3', engineKey: bench.engineKey } });
  const llm = createFakeLlm({ answers: () => [{ type: 'text', text: ANSWER }], firstTokenMs: DELAYS.llm });
  await bench.engine.createSession(config, { llm, knowledge: { search: async () => [] } });
  let heard: ((at: number) => void) | null = null;
  const client = await openBenchClient(bench.url, config.sessionId, {
    onAudio: ({ payload, arrivedAt }) => {
      if (!payload.equals(silence)) heard?.(arrivedAt);
    },
  });
  await client.ready;
  await pause(500 + Math.random() * 500);
  const wholes: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const answered = new Promise<number>((resolve) => (heard = resolve));
    const voicedUntil = await client.say(sentence);
    const first = await answered;
    heard = null;
    wholes.push(first - voicedUntil);
    await pause(2500);
  }
  client.close();
  const records = (bench.entries.get(config.sessionId) ?? []).flatMap((entry) =>
    entry.kind === 'turn' ? [entry.turn] : [],
  );
  return wholes.flatMap((whole, i) => (records[i] === undefined ? [] : [{ whole, record: records[i] }]));
}

/** What the voice sends in silence. */
const silence = silencePacket();
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const since = (from: number | null, to: number | null): number =>
  from === null || to === null ? Number.NaN : to - from;
/** From this time on, only the server can be late: the turn was decided, and the LLM had given text. */
const decidable = (r: TurnRecord): number => Math.max(r.endOfTurnAt ?? Number.NaN, r.llmFirstOutputAt ?? Number.NaN);
const stages: readonly (readonly [string, (turn: Turn) => number])[] = [
  ['speech end → end of turn', ({ record: r }) => since(r.userSpeechEndedAt, r.endOfTurnAt)],
  ['end of turn → transcript', ({ record: r }) => since(r.endOfTurnAt, r.transcribedAt)],
  ['LLM asked → first output', ({ record: r }) => since(r.llmRequestedAt, r.llmFirstOutputAt)],
  ['first output → synthesis asked', ({ record: r }) => since(r.llmFirstOutputAt, r.synthesisStartedAt)],
  ['synthesis asked → first audio', ({ record: r }) => since(r.synthesisStartedAt, r.synthesisFirstAudioAt)],
  ['first audio → first packet', ({ record: r }) => since(r.synthesisFirstAudioAt, r.speakingStartedAt)],
  ['whole: last voiced sample → persona heard', ({ whole }) => whole],
  [
    'server’s own, after the end-of-turn decision',
    ({ record: r }) => since(decidable(r), r.synthesisStartedAt) + since(r.synthesisFirstAudioAt, r.speakingStartedAt),
  ],
  [
    'whole above configured silence and provider delays',
    ({ whole, record: r }) =>
      whole -
      CONFIGURED_SILENCE_MS -
      since(r.endOfTurnAt, decidable(r)) -
      since(r.synthesisStartedAt, r.synthesisFirstAudioAt),
  ],
];

const sentence = speakSentence(SENTENCE);
const byStage = new Map<string, Spread[]>(stages.map(([name]) => [name, []]));
const delays: number[] = [];
const host = watchStealTime();
for (let run = 0; run < runs; run++) {
  const bench = await startBenchEngine({
    recognizer: fakeRecognizer({
      utterances: Array.from({ length: 2 * turns * sessions }, () => SENTENCE),
      finalMs: DELAYS.recognition,
    }),
    synthesizer: { firstAudioMs: DELAYS.synthesis },
    avatarCache: AVATAR_CACHE,
  });
  const loop = watchEventLoop();
  const all = (await Promise.all(Array.from({ length: sessions }, () => converse(bench, sentence)))).flat();
  delays.push(loop.stop().p99);
  for (const [name, measure] of stages)
    byStage.get(name)?.push(spread(all.map(measure).filter((value) => !Number.isNaN(value))));
  await bench.close();
}
console.log(
  `${sessions} session(s), ${turns} turns each, median of ${runs} runs; ms. Declared: recognition ${DELAYS.recognition}, LLM ${DELAYS.llm}, synthesis ${DELAYS.synthesis}, silence ${CONFIGURED_SILENCE_MS}.`,
);
printTable(
  ['stage', 'n', 'p50', 'p95', 'p99'],
  stages.map(([name]) => {
    const results = byStage.get(name) ?? [];
    return [
      name,
      results[0]?.count ?? 0,
      median(results.map((r) => r.p50)),
      median(results.map((r) => r.p95)),
      median(results.map((r) => r.p99)),
    ];
  }),
);
console.log(`event-loop delay p99: ${median(delays).toFixed(1)} ms`);
console.log(stealTimeLine(host.stop()));
process.exit(0);
