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
 * Each recording is played into a silence, to the end of its own answer. Of each: words that are wrong in the transcript,
 * messages that it became (more than 1: half a sentence was answered), and whether it was answered. Of each answer, of those to
 * finished sentences, to those that the recording breaks off, and of all: the time from the last voiced sample to each stage,
 * as the session's timeline has it. The last text is asked for as late as the decision allows; when its words were known is told
 * by the request to the LLM, which is made ahead of the decision. The network and the browser's buffer come on top. The
 * microphone is a Web Audio stream, without echo and without the browser's gain control.
 */
import { writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { connectSdk, type HeardEvent, type SdkSession } from '../e2e/support/sdk-session.ts';
import { startService, type RunningService } from '../e2e/support/service.ts';
import type { TurnRecord } from '../control/sessions/records/turn-schema.ts';
import { wavFile } from '../models/stt/wav.ts';
import { addNoise, NOISES } from '../models/testing/noises.ts';
import { differingWords, wordsOf } from '../models/testing/sounds.ts';
import { recordings, type Recording } from '../models/testing/speech/recordings.ts';
import { pausedAt } from './endpointing/paused-at.ts';
import { keepSessionLog } from './lib/keep-session-log.ts';
import { recordingTurns, isAnswered, isSpeaking } from './lib/recording-turns.ts';
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
/** So long a silence ends what was said. */
const QUIET_MS = 2_500;
const ANSWER_WITHIN_MS = 20_000;
const READY_WITHIN_MS = 180_000;

interface Said extends Pick<Recording, 'ending'> {
  readonly name: string;
  readonly words: string;
  readonly pcm: Int16Array;
}

/**
 * @param index of the turn. @returns a recording, with a pause of 0.3 to 1.2 s inside where it has a place for one, or
 * with noise.
 */
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

interface Played extends Said {
  /** How many events the client had been told before. */
  readonly from: number;
}

interface Outcome extends Pick<Said, 'name' | 'ending'> {
  readonly words: number;
  readonly wrong: number;
  readonly messages: number;
  readonly turnIds: readonly string[];
}

/**
 * Plays it into a silence, to the end of its answer. One that is not answered in time is lost: that is told at the end.
 */
async function play(session: SdkSession, recording: Said): Promise<Played> {
  const from = (await session.events()).length;
  await session.play(wavFile([recording.pcm], RATE));
  const answered = (events: readonly HeardEvent[]) => isAnswered(events, recordingTurns(events, from));
  await quiet(session, answered).catch(() => console.log(`${recording.name}: no answer in time`));
  await quiet(session, () => true).catch(() => console.log(`${recording.name}: the persona speaks on`));
  return { ...recording, from };
}

/** Waits until that is so, and neither a message nor a voice has come or gone on for a while. */
async function quiet(session: SdkSession, isSo: (events: readonly HeardEvent[]) => boolean): Promise<void> {
  let known = { count: -1, at: 0 };
  const isQuiet = (events: readonly HeardEvent[]): boolean => {
    const now = performance.now();
    if (events.length !== known.count || isSpeaking(events)) known = { count: events.length, at: now };
    return now - known.at >= QUIET_MS && isSo(events);
  };
  await session.until('silence', isQuiet, ANSWER_WITHIN_MS);
}

/** What was understood of it in the end: words may come late. */
function outcomeOf({ name, words, ending, from }: Played, events: readonly HeardEvent[], to?: number): Outcome {
  const { turnIds, messages } = recordingTurns(events, from, to);
  const wrong = differingWords(words, messages.join(' '));
  return { name, ending, turnIds, messages: messages.length, words: wordsOf(words).length, wrong };
}

async function timelineOf(service: RunningService, sessionId: string): Promise<TurnRecord[]> {
  const { turns } = await service.api<{ turns: TurnRecord[] }>('GET', `/v1/sessions/${sessionId}/timeline`);
  return turns;
}

async function keep(service: RunningService, sessionId: string, turns: readonly TurnRecord[]): Promise<void> {
  if (args.keep === undefined) return;
  await keepSessionLog(service, sessionId, args.keep);
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

/**
 * @returns the turns with a sound, each with the recording that it answers; late words are a turn more, of the same
 * voice.
 */
function answersTo(outcomes: readonly Outcome[], turns: readonly TurnRecord[]): Answered[] {
  return outcomes.flatMap((outcome) => {
    const voices = turns.flatMap(({ correlationId, userSpeechStartedAt }) =>
      outcome.turnIds.includes(correlationId) ? (userSpeechStartedAt ?? []) : [],
    );
    const isOf = ({ userSpeechStartedAt }: TurnRecord) => voices.includes(userSpeechStartedAt ?? Number.NaN);
    return turns.filter((turn) => isOf(turn) && turn.speakingStartedAt !== null).map((turn) => ({ outcome, turn }));
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

function printOutcomes(outcomes: readonly Outcome[], turns: readonly TurnRecord[]): void {
  const answers = answersTo(outcomes, turns);
  const isLost = (outcome: Outcome) => !answers.some((answer) => answer.outcome === outcome);
  printTable(
    ['recording', 'words', 'wrong', 'messages', 'answer'],
    outcomes.map((it) => [it.name, it.words, it.wrong, it.messages, isLost(it) ? 'lost' : '']),
  );
  printDelays(answers);
  const sum = (what: 'words' | 'wrong') => outcomes.reduce((all, one) => all + one[what], 0);
  console.log(
    `${((100 * sum('wrong')) / sum('words')).toFixed(1)} % of the words wrong; ` +
      `${outcomes.filter(({ messages }) => messages > 1).length} of ${outcomes.length} in more than one message; ` +
      `${outcomes.filter(isLost).length} without an answer; load ${loadavg()[0]?.toFixed(1)}.`,
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
  const played: Played[] = [];
  const all = recordings();
  for (let index = 0; index < Number(args.turns); index += 1)
    played.push(await play(session, said(all[index % all.length]!, index)));
  const events = await session.events();
  const { sessionId } = session;
  await session.close();
  await pause(QUIET_MS);
  const turns = await timelineOf(service, sessionId);
  await keep(service, sessionId, turns);
  printOutcomes(
    played.map((recording, at) => outcomeOf(recording, events, played[at + 1]?.from)),
    turns,
  );
} finally {
  await service.stop();
}
