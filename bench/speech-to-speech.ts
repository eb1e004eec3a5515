/**
 * A persona whose model hears and speaks itself, over loopback WebRTC with the real engine. Measures what Parley adds to the
 * model's own delay, and how soon the persona is silent when the model hears a voice; with Gemini, where turns are Parley's,
 * when the client interrupts. The models are scripted servers that speak the documented protocols; their own time is taken
 * off. All runs on one machine: shares of one run can be compared.
 *
 *   node bench/speech-to-speech.ts [--rounds 30] [--brain 'OpenAI Realtime']
 *
 * Models, engine and client share a thread here, so its event-loop delay is part of every figure; it is printed beside them.
 */
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openLiveEngine } from '../engine/session/testing/live-engine.ts';
import { engineNow } from '../runtime/clock.ts';
import { watchEventLoop } from './lib/event-loop.ts';
import { AUDIBLE_DB, PersonaAudio } from './lib/persona-audio.ts';
import { quantile } from './lib/statistics.ts';
import { printTable } from './lib/table.ts';
import { timedModels, type TimedModel } from './speech-to-speech/timed-models.ts';

const { values: args } = parseArgs({
  options: { rounds: { type: 'string', default: '30' }, brain: { type: 'string', default: '' } },
});
const rounds = Number(args.rounds);
/** Longer than it is spoken, and than an agent waits for more. */
const SHORT_ANSWER_MS = 2_200;

const SILENT_MS = 10_000;

interface Figures {
  /** Question → asked, and the model's first sound → heard, ms. */
  readonly turn: number[];
  /** Of it the second. */
  readonly sound: number[];
  readonly stop: number[];
}

/** @throws when nothing is heard for `SILENT_MS`: an answer was lost. */
async function until<T>(find: () => T | undefined): Promise<T> {
  for (const since = engineNow(); engineNow() - since < SILENT_MS; await pause(2)) {
    const found = find();
    if (found !== undefined) return found;
  }
  throw new Error(`Nothing was heard for ${SILENT_MS} ms.`);
}

async function measure({ llm, config, marks, interrupt, endSpeech }: TimedModel): Promise<Figures> {
  const live = await openLiveEngine({ llm, config });
  const audio = new PersonaAudio();
  const client = await live.connect({ onAudio: ({ payload, arrivedAt }) => audio.packet(payload, arrivedAt) });
  const figures: Figures = { turn: [], sound: [], stop: [] };
  const loud = (since: number) => audio.since(since).filter(({ levelDb }) => levelDb > AUDIBLE_DB);
  const ask = async (text: string) => {
    audio.clear();
    Object.assign(marks, { asked: 0, firstSound: 0 });
    const at = engineNow();
    client.say(text);
    const heard = await until(() => loud(at)[0]);
    return { at, heard: heard.at };
  };
  await ask('The first connection is made.');
  await pause(SHORT_ANSWER_MS);
  for (let round = 0; round < rounds; round += 1) {
    const { at, heard } = await ask(`Question ${round}?`);
    figures.turn.push(marks.asked - at + (heard - marks.firstSound));
    figures.sound.push(heard - marks.firstSound);
    await pause(SHORT_ANSWER_MS);
  }
  for (let round = 0; round < rounds; round += 1) {
    await ask('Please count.');
    await pause(1_500);
    const voiceAt = engineNow();
    interrupt(client);
    await pause(500);
    figures.stop.push((loud(voiceAt).at(-1)?.at ?? voiceAt) - voiceAt);
    endSpeech();
    await pause(300);
  }
  audio.close();
  await live.close();
  return figures;
}

const row = (name: string, values: readonly number[]): string[] => [
  name,
  ...[0.5, 0.95, 1].map((share) => quantile(values, share).toFixed(1)),
];
for (const open of timedModels) {
  const model = await open();
  if (!model.name.includes(args.brain)) {
    await model.close();
    continue;
  }
  const loop = watchEventLoop();
  const { turn, sound, stop } = await measure(model);
  const { p50, p99, max } = loop.stop();
  const delay = [p50, p99, max].map((ms) => ms.toFixed(1)).join(' / ');
  console.log(`${model.name}, ${rounds} turns, load ${loadavg()[0]!.toFixed(1)}`);
  console.log(`event-loop delay p50 / p99 / longest: ${delay} ms`);
  printTable(
    ['ms', 'p50', 'p95', 'max'],
    [
      row("added to a turn: question → asked, and model's sound → heard", turn),
      row("of it: model's first sound → heard", sound),
      row('interruption → silence', stop),
    ],
  );
  await model.close();
}
process.exit(0);
