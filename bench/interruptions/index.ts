/**
 * People who interrupt the persona, far voices and a television, with the models of this machine on a simulated clock: the
 * same on any machine (`bench/endpointing/hearing-session.ts`). Nothing of a browser is in it, so no echo canceller and no
 * gain control; with those: `in-chromium.ts`.
 *
 *   node bench/interruptions/index.ts [--models data/models] [--recordings FOLDER] [--known FILE] [--only NAME] [--each]
 *
 * Up to six recordings are users who have spoken twice. Then others, and the user, interrupt a long answer, as loud as the user and
 * 6 dB softer. Far voices, with the echoes of a room, are 12 to 21 dB softer, over the answer and into the silence; so is a
 * television, which says three sentences (`trials.ts`). `--recordings`: as in `bench/endpointing`. Rules are tuned on the
 * recordings of the tests, and judged on others. `--known`: what the models said is kept there. `--each`: each trial.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ENTER_PROBABILITY } from '../../actors/vad/vad-thresholds.ts';
import { HearingSession } from '../endpointing/hearing-session.ts';
import { openModels } from '../endpointing/models.ts';
import { spread } from '../lib/statistics.ts';
import { printTable } from '../lib/table.ts';
import { kindOf, spokenBy, STORY, trialsOf, type Spoken, type Trial } from './trials.ts';

const { values: args } = parseArgs({
  options: {
    models: { type: 'string', default: 'data/models' },
    recordings: { type: 'string' },
    known: { type: 'string' },
    only: { type: 'string', default: '' },
    each: { type: 'boolean', default: false },
  },
});
/** The answer has been heard for so long when somebody speaks. */
const INTO_IT_MS = 1_600;
const AFTER_MS = 6_000;
const REST_OF_STORY_MS = 16_000;
const MAX_USERS = 6;

const models = openModels(resolve(args.models), args.known ?? null);
const all = spokenBy(args.recordings);

interface Outcome {
  /** From the first voiced window to the lowered, and to the silent persona, ms; null: it was not. */
  readonly loweredMs: number | null;
  readonly stoppedMs: number | null;
  readonly isAnswered: boolean;
  readonly isInTranscript: boolean;
}

async function hear(listening: HearingSession, { pcm, where }: Trial): Promise<Outcome> {
  const { session } = listening;
  const lines = session.reports('message').length;
  const answered = session.transcript().filter((line) => line.startsWith('user: ')).length;
  const from = listening.now;
  const known = session.recorded.length;
  await listening.hear(pcm);
  await listening.silence(AFTER_MS);
  const onset = session.recorded
    .slice(known)
    .flatMap(({ event }) =>
      event.type === 'vad.window' && event.probability >= ENTER_PROBABILITY ? [event.endsAt - 32] : [],
    )[0];
  const since = (type: 'speech.duck' | 'speech.cut'): number | null => {
    const at = session.timesOf(type).find((time) => time >= from);
    return at === undefined || onset === undefined ? null : at - onset;
  };
  const stoppedMs = since('speech.cut');
  // What was not meant for the persona is reported when it has finished.
  if (where === 'over the answer' && stoppedMs === null) await listening.silence(REST_OF_STORY_MS);
  return {
    loweredMs: since('speech.duck'),
    stoppedMs,
    isAnswered: session.transcript().filter((line) => line.startsWith('user: ')).length > answered,
    isInTranscript: session
      .reports('message')
      .slice(lines)
      .some(({ message }) => message.role === 'user'),
  };
}

async function askForStory(listening: HearingSession): Promise<void> {
  listening.session.engine.answer = () => ({ text: STORY });
  listening.session.type('Tell me about it.');
  await listening.silence(INTO_IT_MS);
  listening.session.engine.answer = () => ({ text: 'All right.' });
}

async function become(user: Spoken): Promise<HearingSession> {
  const listening = new HearingSession(models, { delays: { llmFirstTokenMs: 0, voiceFirstAudioMs: 150 } });
  for (let time = 0; time < 2; time += 1) {
    await listening.hear(user.pcm);
    await listening.silence(AFTER_MS);
  }
  return listening;
}

const rows: { readonly what: string; readonly outcome: Outcome }[] = [];
for (const user of all.slice(0, MAX_USERS).filter(({ name }) => name.includes(args.only))) {
  const listening = await become(user);
  for (const trial of trialsOf(user, all)) {
    if (trial.where === 'over the answer') await askForStory(listening);
    const outcome = await hear(listening, trial);
    rows.push({ what: kindOf(trial), outcome });
    if (args.each) console.log(user.name, kindOf(trial), trial.softerDb, JSON.stringify(outcome));
  }
}

const kinds = [...new Set(rows.map(({ what }) => what))];
printTable(
  [
    'who speaks',
    'times',
    'stopped it',
    'answered',
    'in the transcript',
    'lowered p50 / p95, ms',
    'stopped p50 / p95, ms',
  ],
  kinds.map((kind) => {
    const of = rows.filter(({ what }) => what === kind).map(({ outcome }) => outcome);
    const times = (values: (number | null)[]): string => {
      const { count, p50, p95 } = spread(values.flatMap((value) => value ?? []));
      return count === 0 ? '–' : `${p50.toFixed(0)} / ${p95.toFixed(0)}`;
    };
    return [
      kind,
      of.length,
      of.filter(({ stoppedMs }) => stoppedMs !== null).length,
      of.filter(({ isAnswered }) => isAnswered).length,
      of.filter(({ isInTranscript }) => isInTranscript).length,
      times(of.map(({ loweredMs }) => loweredMs)),
      times(of.map(({ stoppedMs }) => stoppedMs)),
    ];
  }),
);
// The models' threads would keep it alive.
process.exit(0);
