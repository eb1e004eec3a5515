/**
 * People who interrupt the persona, and voices that are far away, with the models of this machine on a simulated clock: the
 * same on any machine (`bench/endpointing/hearing-session.ts`). Nothing of a browser is in it, so no echo canceller and no
 * gain control.
 *
 *   node bench/interruptions.ts [--models data/models] [--only NAME]
 *
 * Each recording of the tests is a user who spoke twice. Then all recordings of three and more words interrupt a long answer,
 * as loud as the user and 6 dB softer. Far voices are 12 to 21 dB softer, over the answer and into the silence after it.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ENTER_PROBABILITY } from '../actors/vad/vad-thresholds.ts';
import { audioLevelDb, toFloat } from '../engine/audio-in/vad/audio-level.ts';
import { recordings, type Recording } from '../models/testing/speech/recordings.ts';
import { HearingSession } from './endpointing/hearing-session.ts';
import { openModels } from './endpointing/models.ts';
import { spread } from './lib/statistics.ts';
import { printTable } from './lib/table.ts';

const { values: args } = parseArgs({
  options: { models: { type: 'string', default: 'data/models' }, only: { type: 'string', default: '' } },
});
const STORY =
  'There are seven things to say about this, and the first one is rather long indeed. The second one is short. The third one is about the weather in spring, which is mild here. The fourth one is about boats on a wide and quiet river. The fifth one is about the people who live beside it.';
/** The answer has been heard for so long when somebody speaks. */
const INTO_IT_MS = 1_600;
const AFTER_MS = 6_000;
const SOFTER_DB = [0, 6];
const FAR_DB = [12, 15, 18, 21];

const models = openModels(resolve(args.models));
const all = recordings();

function levelOf({ pcm, phrases }: Recording): number {
  let [power, windows] = [0, 0];
  for (const { fromMs, toMs } of phrases)
    for (let at = fromMs * 16; at + 512 <= toMs * 16; at += 512, windows += 1)
      power += 10 ** (audioLevelDb(toFloat(pcm.subarray(at, at + 512))) / 10);
  return 10 * Math.log10(power / windows);
}

function atLevel(recording: Recording, db: number): Int16Array {
  const gain = 10 ** ((db - levelOf(recording)) / 20);
  return recording.pcm.map((sample) => Math.max(-32_768, Math.min(32_767, Math.round(sample * gain))));
}

interface Outcome {
  /** From the first voiced window to the lowered, and to the silent persona, ms; null: it was not. */
  readonly loweredMs: number | null;
  readonly stoppedMs: number | null;
  readonly isAnswered: boolean;
  readonly isInTranscript: boolean;
}

async function speakUp(ears: HearingSession, pcm: Int16Array): Promise<Outcome> {
  const { session } = ears;
  const lines = session.reports('message').length;
  const answered = session.transcript().filter((line) => line.startsWith('user: ')).length;
  const from = ears.now;
  const known = session.recorded.length;
  await ears.hear(pcm);
  await ears.silence(AFTER_MS);
  const onset = session.recorded
    .slice(known)
    .flatMap(({ event }) =>
      event.type === 'vad.window' && event.probability >= ENTER_PROBABILITY ? [event.endsAt - 32] : [],
    )[0];
  const since = (type: 'speech.duck' | 'speech.cut'): number | null => {
    const at = session.timesOf(type).find((time) => time >= from);
    return at === undefined || onset === undefined ? null : at - onset;
  };
  return {
    loweredMs: since('speech.duck'),
    stoppedMs: since('speech.cut'),
    isAnswered: session.transcript().filter((line) => line.startsWith('user: ')).length > answered,
    isInTranscript: session
      .reports('message')
      .slice(lines)
      .some(({ message }) => message.role === 'user'),
  };
}

async function askForStory(ears: HearingSession): Promise<void> {
  ears.session.engine.answer = () => ({ text: STORY });
  ears.session.type('Tell me about it.');
  await ears.silence(INTO_IT_MS);
  ears.session.engine.answer = () => ({ text: 'All right.' });
}

const rows: { readonly what: string; readonly outcome: Outcome }[] = [];
for (const user of all.filter(({ name }) => name.includes(args.only))) {
  const ears = new HearingSession(models, { delays: { llmFirstTokenMs: 0, voiceFirstAudioMs: 150 } });
  const usualDb = levelOf(user);
  for (let time = 0; time < 2; time += 1) {
    await ears.hear(user.pcm);
    await ears.silence(AFTER_MS);
  }
  for (const [index, other] of all.entries()) {
    for (const softer of SOFTER_DB) {
      await askForStory(ears);
      rows.push({ what: `${softer} dB softer`, outcome: await speakUp(ears, atLevel(other, usualDb - softer)) });
      await ears.silence(AFTER_MS);
    }
    const far = FAR_DB[index % FAR_DB.length]!;
    for (const where of ['over the answer', 'into the silence'] as const) {
      if (where === 'over the answer') await askForStory(ears);
      const outcome = await speakUp(ears, atLevel(other, usualDb - far));
      rows.push({ what: `far, ${where}`, outcome });
      if (where === 'over the answer') await ears.silence(20_000);
    }
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
