/**
 * Whether half a sentence is answered, and how long a whole one waits for its answer, with the models of this machine and
 * people's recordings on a simulated clock: the same on any machine, a second of conversation in a quarter of one.
 *
 *   node bench/endpointing/index.ts [--models data/models] [--recordings FOLDER] [--places] [--only NAME] [--clean]
 *     [--known FILE]
 *
 * `finished`: each recording as it is. `paused`: silence at each place where a speaker who thinks would pause, so that the
 * whole pause has 0.3 to 1.2 s; clean, and with pink noise 10 dB below the voice. Each recording is a speaker of its own, who
 * says it with all pauses one after the other. An LLM that answers at once; the voice takes 150 ms to the first sound.
 *
 * `--clean`: without the noise. `--known`: what the models said is kept there, and not asked for again. `--places`: each place
 * with what the session knew there. A folder of recordings has `name.wav` (16 bits, mono, 16 kHz), `name.txt`
 * with the words, and `name.breaks` with the places, ms; without it those of the tests are played. Rules are tuned on
 * those, and judged on others.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { STAY_PROBABILITY } from '../../actors/vad/vad-thresholds.ts';
import { WINDOW_MS } from '../../actors/vad/vad-window.ts';
import { addNoise, NOISES } from '../../models/testing/noises.ts';
import { wavSamples } from '../../models/testing/sounds.ts';
import { recordings, type Recording } from '../../models/testing/speech/recordings.ts';
import { spread } from '../lib/statistics.ts';
import { printTable } from '../lib/table.ts';
import { HearingSession } from './hearing-session.ts';
import { openModels } from './models.ts';
import { pausedAt } from './paused-at.ts';

const { values: args } = parseArgs({
  options: {
    models: { type: 'string', default: 'data/models' },
    recordings: { type: 'string' },
    places: { type: 'boolean', default: false },
    clean: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    known: { type: 'string' },
  },
});
const PAUSES_S = [0.3, 0.6, 0.9, 1.2];
const NOISE_DB = 10;
/** So much silence after a recording: the longest wait, the answer, and some of what would be said of it. */
const AFTER_MS = 6_500;
const DELAYS = { llmFirstTokenMs: 0, voiceFirstAudioMs: 150 };

type Played = Pick<Recording, 'name' | 'pcm' | 'breaksMs'>;

function recordingsOf(folder: string): Played[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.wav'))
    .map((file) => {
      const name = file.slice(0, -'.wav'.length);
      const places = join(folder, `${name}.breaks`);
      const breaksMs = existsSync(places) ? readFileSync(places, 'utf8').split(/\s+/).filter(Boolean).map(Number) : [];
      return { name, pcm: wavSamples(readFileSync(join(folder, file))), breaksMs };
    });
}

interface Heard {
  readonly turns: number;
  /** From the last voiced sample of the recording to the first sound of an answer after it; null: none came. */
  readonly afterMs: number | null;
  /** Answers that began before the recording was over. */
  readonly early: number;
  /** How long the first of them was heard until the persona was silent, ms; null: there was none. */
  readonly heardMs: number | null;
  /** What was heard, and what the end-of-turn model made of it. */
  readonly signs: readonly string[];
}

const userTurns = (listening: HearingSession): number =>
  listening.session.transcript().filter((line) => line.startsWith('user: ')).length;

async function hear(listening: HearingSession, pcm: Int16Array): Promise<Heard> {
  const before = userTurns(listening);
  const known = listening.session.recorded.length;
  await listening.hear(pcm);
  await listening.silence(AFTER_MS);
  const events = listening.session.recorded.slice(known);
  const voiced = events.flatMap(({ event }) =>
    event.type === 'vad.window' && event.probability >= STAY_PROBABILITY && event.loudMs !== 0
      ? [event.endsAt - WINDOW_MS + (event.loudMs ?? WINDOW_MS)]
      : [],
  );
  const spokenUntil = voiced.at(-1) ?? 0;
  const answers = events.filter(({ event }) => event.type === 'speech.started').map(({ at }) => at);
  const first = answers.find((at) => at > spokenUntil);
  const tooEarly = answers.find((at) => at < spokenUntil);
  const silentAt = events.find(
    ({ at, event }) => at > (tooEarly ?? Infinity) && (event.type === 'speech.cut' || event.type === 'speech.finished'),
  )?.at;
  return {
    turns: userTurns(listening) - before,
    afterMs: first === undefined ? null : first - spokenUntil,
    early: answers.filter((at) => at < spokenUntil).length,
    heardMs: tooEarly === undefined ? null : (silentAt ?? listening.now) - tooEarly,
    signs: events.flatMap(({ at, event }) => {
      const seconds = ((at - (events[0]?.at ?? 0)) / 1_000).toFixed(2);
      if (event.type === 'stt.final') return [`${seconds} final "${event.text}"`];
      if (event.type === 'stt.partial') return [`${seconds} "${event.text}"`];
      return event.type === 'endOfTurn.predicted' ? [`${seconds} end ${event.probability.toFixed(2)}`] : [];
    }),
  };
}

const models = openModels(resolve(args.models), args.known ?? null);
const all = args.recordings === undefined ? recordings() : recordingsOf(args.recordings);
const played = all.filter(({ name }) => name.includes(args.only));
const noisy = (pcm: Int16Array): Int16Array => addNoise(pcm, NOISES['pink']!(Math.ceil(pcm.length / 16_000)), NOISE_DB);
const same = (pcm: Int16Array): Int16Array => pcm;
const newcomer = (): HearingSession => {
  const listening = new HearingSession(models, { delays: DELAYS });
  listening.session.engine.answer = () => ({ text: 'That is good to know.' });
  return listening;
};

const rows: (string | number)[][] = [];
const finished: Heard[] = [];
for (const { name, pcm } of played)
  for (const sound of args.clean ? [pcm] : [pcm, noisy(pcm)]) {
    const heard = await hear(newcomer(), sound);
    finished.push(heard);
    const what = sound === pcm ? name : `${name}, noise`;
    rows.push([what, '', heard.turns, heard.early, heard.heardMs ?? '', heard.afterMs ?? 'no answer']);
    if (args.places) console.log(name, heard.signs.join(' | '));
  }
const paused: Heard[] = [];
for (const { name, pcm, breaksMs } of played)
  for (const change of args.clean ? [same] : [same, noisy]) {
    const listening = newcomer();
    for (const pauseS of PAUSES_S)
      for (const place of breaksMs) {
        const heard = await hear(listening, change(pausedAt(pcm, place, pauseS * 1_000)));
        paused.push(heard);
        const what = change === noisy ? `${name}, noise` : name;
        const { turns, early, heardMs, afterMs } = heard;
        rows.push([what, `${pauseS} s at ${place}`, turns, early, heardMs ?? '', afterMs ?? 'no answer']);
        if (args.places) console.log(name, place, pauseS, heard.early > 0 ? 'EARLY' : '', heard.signs.join(' | '));
      }
  }
printTable(['recording', 'pause', 'turns', 'answered early', 'which was heard for, ms', 'first sound after, ms'], rows);
for (const [what, heard] of [
  ['finished', finished],
  ['paused', paused],
] as const) {
  const { p50, p95 } = spread(heard.flatMap(({ afterMs }) => afterMs ?? []));
  const longest = Math.max(0, ...heard.map(({ heardMs }) => heardMs ?? 0));
  console.log(
    `${what}: ${heard.length} recordings, ${heard.filter(({ early }) => early > 0).length} answered before they were over ` +
      `(which was heard for ${longest} ms at most), ` +
      `${heard.filter(({ afterMs }) => afterMs === null).length} not at all; ` +
      `first sound after ${p50.toFixed(0)} ms p50, ${p95.toFixed(0)} ms p95.`,
  );
}
// The models' threads would keep it alive.
process.exit(0);
