/**
 * The same people, far voices and television as in `index.ts`, through Chromium and the public client: with the echo
 * canceller, gain control and noise suppression that the client asks for. One recording is the user's; what is heard after the
 * user is known is mixed into one file, which Chromium takes for its microphone.
 *
 *   node bench/interruptions/in-chromium.ts --only cards-001 [--models data/models] [--recordings FOLDER] [--trials 17]
 *     [--keep FOLDER]
 *
 * The persona tells a long story when somebody is to interrupt it. A user takes about four minutes. The browser's own sound goes
 * nowhere, so there is no echo to cancel; its canceller works all the same. `--keep`: the log of the session is written there.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { userTurns } from '../../e2e/support/chunks.ts';
import { connectSdk, type SdkSession } from '../../e2e/support/sdk-session.ts';
import { startService, type RunningService } from '../../e2e/support/service.ts';
import { launchBrowser } from '../../engine/testing/browser.ts';
import { wavFile } from '../../models/stt/wav.ts';
import { concat, silence } from '../../models/testing/sounds.ts';
import { keepSessionLog } from '../lib/keep-session-log.ts';
import { printTable } from '../lib/table.ts';
import { kindOf, spokenBy, STORY, trialsOf, type Trial } from './trials.ts';

const { values: args } = parseArgs({
  options: {
    models: { type: 'string', default: 'data/models' },
    recordings: { type: 'string' },
    only: { type: 'string', default: 'cards-001' },
    trials: { type: 'string', default: '17' },
    keep: { type: 'string' },
  },
});
const RATE = 16_000;
const FIRST_AFTER_MS = 3_000;
/** The story is asked for so long before somebody speaks. */
const ASKED_BEFORE_MS = 3_500;
const JUDGED_AFTER_MS = 6_500;
const READY_WITHIN_MS = 120_000;

interface Scheduled {
  readonly trial: Trial | null;
  /** From the first sample of the microphone, ms. */
  readonly from: number;
  readonly until: number;
}

/** @returns the microphone's sound, and what is when in it: the user twice, then the trials. */
function mixed(user: Int16Array, trials: readonly Trial[]): { pcm: Int16Array; schedule: Scheduled[] } {
  const pieces: Int16Array[] = [];
  const schedule: Scheduled[] = [];
  let samples = 0;
  const add = (piece: Int16Array): void => {
    pieces.push(piece);
    samples += piece.length;
  };
  const quiet = (ms: number): void => add(silence(ms * (RATE / 1_000)));
  const heard = (pcm: Int16Array, trial: Trial | null): void => {
    const from = samples / (RATE / 1_000);
    add(pcm);
    schedule.push({ trial, from, until: samples / (RATE / 1_000) });
    quiet(JUDGED_AFTER_MS);
  };
  quiet(FIRST_AFTER_MS);
  for (let time = 0; time < 2; time += 1) heard(user, null);
  for (const trial of trials) {
    quiet(ASKED_BEFORE_MS);
    heard(trial.pcm, trial);
  }
  return { pcm: concat(...pieces), schedule };
}

const NOTED_MICROPHONE = `
  const devices = navigator.mediaDevices;
  const open = devices.getUserMedia.bind(devices);
  const noted = async (constraints) => {
    const stream = await open(constraints);
    window.notedMicrophone = {
      since: performance.timeOrigin + performance.now(),
      settings: stream.getAudioTracks()[0].getSettings(),
    };
    return stream;
  };
  // The page sets a microphone of its own.
  Object.defineProperty(devices, 'getUserMedia', { get: () => noted, set: () => {} });
`;
interface NotedMicrophone {
  readonly since: number;
  readonly settings: unknown;
}
async function notedIn({ browser: { page } }: SdkSession): Promise<NotedMicrophone> {
  const noted = await page.waitForFunction('window.notedMicrophone', null, { timeout: READY_WITHIN_MS });
  return (await noted.jsonValue()) as NotedMicrophone;
}

/** A page whose microphone is the browser's own, and which notes when that began. */
async function browserWith(microphone: string) {
  const browser = await launchBrowser({ microphone: `${microphone}%noloop` });
  await browser.page.addInitScript(NOTED_MICROPHONE);
  return browser;
}

const idsOf = async (session: SdkSession): Promise<Set<string>> =>
  new Set(userTurns(await session.events()).map(({ id }) => id));

interface Outcome {
  readonly what: string;
  readonly answered: boolean;
  readonly atMs: number;
}

async function play(session: SdkSession, schedule: readonly Scheduled[]): Promise<Outcome[]> {
  const { since, settings } = await notedIn(session);
  console.log(JSON.stringify(settings));
  const until = (ms: number): Promise<void> => pause(Math.max(0, since + ms - Date.now()));
  const outcomes: Outcome[] = [];
  for (const { trial, from, until: end } of schedule) {
    if (trial?.where === 'over the answer') {
      await until(from - ASKED_BEFORE_MS);
      await session.call('talk', STORY);
    }
    await until(from);
    const before = await idsOf(session);
    await until(end + JUDGED_AFTER_MS - 1_000);
    const answered = [...(await idsOf(session))].some((id) => !before.has(id));
    if (trial !== null) outcomes.push({ what: kindOf(trial), answered, atMs: from });
    console.log(trial === null ? 'user' : kindOf(trial), trial?.softerDb ?? 0, answered ? 'answered' : 'not answered');
    await session.call('interruptPersona');
  }
  return outcomes;
}

async function transcriptOf(service: RunningService, sessionId: string): Promise<readonly unknown[]> {
  const { messages } = await service.api<{ messages: { role: string }[] }>(
    'GET',
    `/v1/sessions/${sessionId}/transcript`,
  );
  return messages.filter(({ role }) => role === 'user');
}

const all = spokenBy(args.recordings);
const user = all.find(({ name }) => name.includes(args.only))!;
const { pcm, schedule } = mixed(user.pcm, trialsOf(user, all).slice(0, Number(args.trials)));
const folder = await mkdtemp(join(tmpdir(), 'parley-interruptions-'));
const microphone = join(folder, 'microphone.wav');
await writeFile(microphone, wavFile([pcm], RATE));
const service = await startService({
  env: { PARLEY_MODELS_DIR: resolve(args.models) },
  readyWithinMs: READY_WITHIN_MS,
});
try {
  const { data: avatars } = await service.api<{ data: { id: string }[] }>('GET', '/v1/avatars');
  const personaConfig = {
    name: 'Ada',
    avatarId: avatars[0]?.id,
    systemPrompt: 'You are Ada, a friendly guide.',
    skipGreeting: true,
    voiceDetectionOptions: { silenceBeforeSkipTurnSeconds: 0, silenceBeforeSessionEndSeconds: 0 },
  };
  const browser = await browserWith(microphone);
  const session = await connectSdk(service, { personaConfig }, { browser });
  const outcomes = await play(session, schedule);
  const { sessionId } = session;
  await session.close();
  if (args.keep !== undefined) await keepSessionLog(service, sessionId, args.keep);
  for (const line of await transcriptOf(service, sessionId)) console.log(JSON.stringify(line));
  printTable(
    ['who speaks', 'times', 'answered'],
    [...new Set(outcomes.map(({ what }) => what))].map((what) => {
      const of = outcomes.filter((outcome) => outcome.what === what);
      return [what, of.length, of.filter(({ answered }) => answered).length];
    }),
  );
} finally {
  await service.stop();
  await rm(folder, { recursive: true });
}
