/**
 * A conversation with the models of this machine, as a user has it: Chromium, the public client, and people's recordings
 * (`models/testing/speech`) as the microphone. One that has a place for it has a pause of 0.3 to 1.2 s inside, another one each
 * time, and every fifth turn has pink noise 10 dB below the voice. The persona has the default voice and answers with the
 * offline stand-in.
 *
 *   node bench/real-conversation.ts [--turns 12] [--models data/models] [--keep FOLDER]
 *
 * `--keep`: the log of the session, for `npm run replay`, and its timeline are written there.
 *
 * Of each turn: words that are wrong in the transcript, and turns that one recording became (more than 1: half a sentence
 * was answered), and where the time to its first sound went. Of finished sentences, of those that the recording breaks off,
 * and of all: the time from the last voiced sample to each stage of the answer, as the session's timeline has it. The network and the browser's buffer come on top. The microphone is a Web Audio stream, without echo and without the
 * browser's gain control.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { personaTurnsEnded, userTurns } from '../e2e/support/chunks.ts';
import { connectSdk, type SdkSession } from '../e2e/support/sdk-session.ts';
import { startService, type RunningService } from '../e2e/support/service.ts';
import type { TurnRecord } from '../control/sessions/records/turn-schema.ts';
import { wavFile } from '../models/stt/wav.ts';
import { addNoise, NOISES } from '../models/testing/noises.ts';
import { differingWords, wordsOf } from '../models/testing/sounds.ts';
import { recordings, type Recording } from '../models/testing/speech/recordings.ts';
import { pausedAt } from './endpointing/paused-at.ts';
import { spread } from './lib/statistics.ts';
import { printTable } from './lib/table.ts';

const { values: args } = parseArgs({
  options: {
    turns: { type: 'string', default: '12' },
    models: { type: 'string', default: 'data/models' },
    keep: { type: 'string' },
  },
});
const RATE = 16_000;
const PAUSES_S = [0.3, 0.6, 0.9, 1.2];
const NOISE_DB = 10;
/** Nothing more is said of a turn after so long. */
const QUIET_MS = 2_500;
const ANSWER_WITHIN_MS = 30_000;
const READY_WITHIN_MS = 180_000;

interface Said extends Pick<Recording, 'ending'> {
  readonly name: string;
  readonly words: string;
  readonly pcm: Int16Array;
}

/** @param index of the turn. @returns a recording, with a pause of 0.3 to 1.2 s inside where it has a place for one, or with noise. */
function said(recording: Recording, index: number): Said {
  const { name, words, breaksMs, ending, pcm } = recording;
  const round = Math.floor(index / recordings().length);
  const place = breaksMs[round % breaksMs.length];
  const pauseS = place === undefined ? 0 : PAUSES_S[round % PAUSES_S.length]!;
  const paused = place === undefined ? pcm : pausedAt(pcm, place, pauseS * 1_000);
  if (index % 5 !== 4) return { name: pauseS > 0 ? `${name}, ${pauseS} s` : name, words, ending, pcm: paused };
  const noise = NOISES['pink']!(Math.ceil(paused.length / RATE));
  return { name: `${name}, noise`, words, ending, pcm: addNoise(paused, noise, NOISE_DB) };
}

interface Outcome extends Pick<Said, 'name' | 'ending'> {
  readonly words: number;
  readonly wrong: number;
  readonly turns: number;
  /** All that the messages said, also before late words changed them. */
  readonly texts: readonly string[];
}

async function say(session: SdkSession, { name, words, ending, pcm }: Said): Promise<Outcome> {
  const before = userTurns(await session.events()).length;
  const answered = personaTurnsEnded(await session.events());
  await session.play(wavFile([pcm], RATE));
  // A turn without an answer is a result too.
  await session
    .until('an answer', (events) => personaTurnsEnded(events) > answered, ANSWER_WITHIN_MS)
    .catch(() => console.log(`${name}: no answer`));
  await pause(QUIET_MS);
  const heard = userTurns(await session.events()).slice(before);
  // A message that late words change comes again under its id.
  const messages = new Map(heard.map(({ id, content }) => [id, content]));
  const text = [...messages.values()].join(' ');
  const turns = messages.size;
  const texts = heard.map(({ content }) => content);
  return { name, ending, words: wordsOf(words).length, wrong: differingWords(words, text), turns, texts };
}

async function timelineOf(service: RunningService, sessionId: string): Promise<TurnRecord[]> {
  const { turns } = await service.api<{ turns: TurnRecord[] }>('GET', `/v1/sessions/${sessionId}/timeline`);
  return turns;
}

async function keep(service: RunningService, sessionId: string, turns: readonly TurnRecord[]): Promise<void> {
  if (args.keep === undefined) return;
  const log = await fetch(`${service.url}/v1/sessions/${sessionId}/log`, {
    headers: { authorization: `Bearer ${service.apiKey}` },
  });
  await mkdir(args.keep, { recursive: true });
  await writeFile(join(args.keep, 'session.jsonl'), await log.text());
  await writeFile(join(args.keep, 'timeline.json'), JSON.stringify(turns, null, 2));
}

const STAGES = {
  'the last text': 'transcribedAt',
  'the decision that the turn is over': 'endOfTurnAt',
  'the request to the LLM': 'llmRequestedAt',
  'its first words': 'llmFirstOutputAt',
  'the words to the voice': 'synthesisStartedAt',
  'its first audio': 'synthesisFirstAudioAt',
  'the first sound sent': 'speakingStartedAt',
} as const;

type Stage = (typeof STAGES)[keyof typeof STAGES];

function delay(turn: TurnRecord, stage: Stage): number | null {
  const at = turn[stage];
  return turn.userSpeechEndedAt === null || turn.speakingStartedAt === null || at === null
    ? null
    : at - turn.userSpeechEndedAt;
}

/** @returns ms from the last voiced sample to a stage, of all turns that were answered. */
function delays(turns: readonly TurnRecord[], stage: Stage): number[] {
  return turns.flatMap((turn) => delay(turn, stage) ?? []);
}

interface Answered {
  readonly outcome: Outcome;
  readonly turn: TurnRecord;
}

/** The same words may be said again: turns and recordings are in the same order. */
function answersTo(outcomes: readonly Outcome[], turns: readonly TurnRecord[]): Answered[] {
  let from = 0;
  return outcomes.flatMap((outcome) => {
    const isOf = ({ userText }: TurnRecord) => userText !== null && outcome.texts.includes(userText);
    const found: Answered[] = [];
    for (let count = 0; count < outcome.turns; count += 1) {
      const at = turns.findIndex((turn, index) => index >= from && isOf(turn));
      if (at < 0) break;
      from = at + 1;
      const turn = turns[at]!;
      if (turn.speakingStartedAt !== null) found.push({ outcome, turn });
    }
    return found;
  });
}

function printDelays(answers: readonly Answered[]): void {
  printTable(
    ['from the last voiced sample, ms, to', ...Object.keys(STAGES)],
    answers.map(({ outcome, turn }) => [
      `${outcome.name} (${outcome.ending})`,
      ...Object.values(STAGES).map((stage) => delay(turn, stage)?.toFixed(0) ?? '–'),
    ]),
  );
  const of = (ending: Outcome['ending']) =>
    answers.flatMap(({ outcome, turn }) => (outcome.ending === ending ? turn : []));
  const groups = { finished: of('finished'), 'cut off': of('cut-off'), all: answers.map(({ turn }) => turn) };
  printTable(
    ['p50 / p95, ms', ...Object.entries(groups).map(([name, turns]) => `${name} (${turns.length})`)],
    Object.entries(STAGES).map(([what, stage]) => [
      what,
      ...Object.values(groups).map((turns) => {
        const { count, p50, p95 } = spread(delays(turns, stage));
        return count === 0 ? '–' : `${p50.toFixed(0)} / ${p95.toFixed(0)}`;
      }),
    ]),
  );
}

const service = await startService({
  env: { PARLEY_MODELS_DIR: resolve(args.models) },
  readyWithinMs: READY_WITHIN_MS,
});
try {
  const { data: avatars } = await service.api<{ data: { id: string }[] }>('GET', '/v1/avatars');
  const session = await connectSdk(service, {
    personaConfig: {
      name: 'Ada',
      avatarId: avatars[0]?.id,
      systemPrompt: 'You are Ada, a friendly guide.',
      skipGreeting: true,
      voiceDetectionOptions: { silenceBeforeSkipTurnSeconds: 0, silenceBeforeSessionEndSeconds: 0 },
    },
  });
  const isReady = 'SESSION_READY';
  await session.until(isReady, (events) => events.some(({ event }) => event === isReady), READY_WITHIN_MS);
  const outcomes: Outcome[] = [];
  const played = recordings();
  for (let index = 0; index < Number(args.turns); index += 1)
    outcomes.push(await say(session, said(played[index % played.length]!, index)));
  const { sessionId } = session;
  await session.close();
  await pause(QUIET_MS);
  const turns = await timelineOf(service, sessionId);
  await keep(service, sessionId, turns);
  printTable(
    ['recording', 'words', 'wrong', 'turns'],
    outcomes.map(({ name, words, wrong, turns }) => [name, words, wrong, turns]),
  );
  const sum = (what: 'words' | 'wrong') => outcomes.reduce((all, one) => all + one[what], 0);
  printDelays(answersTo(outcomes, turns));
  const { count, p50, p95 } = spread(delays(turns, 'speakingStartedAt'));
  console.log(
    `${((100 * sum('wrong')) / sum('words')).toFixed(1)} % of the words wrong; ` +
      `${outcomes.filter(({ turns }) => turns !== 1).length} of ${outcomes.length} not in one turn; ` +
      `first sound of ${count} answers after ${p50.toFixed(0)} ms p50, ${p95.toFixed(0)} ms p95.`,
  );
} finally {
  await service.stop();
}
