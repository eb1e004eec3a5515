/**
 * A persona whose model hears and speaks itself, over loopback WebRTC with the real engine. Measures what Parley adds to the
 * model's own delay, and how soon the persona is silent when the model hears a voice. The model is a scripted server that
 * speaks the documented protocol; its own time is taken off. All runs on one machine: shares of one run can be compared.
 *
 *   node bench/speech-to-speech.ts [--rounds 30]
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openLiveEngine } from '../engine/session/testing/live-engine.ts';
import { engineNow } from '../runtime/clock.ts';
import { createSpeechModel } from '../models/speech-to-speech/speech-model.ts';
import type { RealtimePeer } from '../models/speech-to-speech/testing/realtime-peer.ts';
import { openRealtimeServer } from '../models/speech-to-speech/testing/realtime-server.ts';
import { PersonaAudio } from './lib/persona-audio.ts';
import { quantile } from './lib/statistics.ts';
import { printTable } from './lib/table.ts';

const { values: args } = parseArgs({ options: { rounds: { type: 'string', default: '30' } } });
const rounds = Number(args.rounds);
/** Only the decoder's fading is quieter. */
const SILENT_DB = -45;
const LONG = 'One two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen.';

/** When what happened at the model. */
interface Marks {
  asked: number;
  firstSound: number;
}

function watch(peer: RealtimePeer): Marks {
  const marks: Marks = { asked: 0, firstSound: 0 };
  const send = peer.send.bind(peer);
  peer.send = (event) => {
    if (event.type === 'response.created') marks.asked = engineNow();
    if (event.type === 'response.output_audio.delta' && marks.firstSound === 0) marks.firstSound = engineNow();
    send(event);
  };
  return marks;
}

async function until<T>(find: () => T | undefined): Promise<T> {
  for (;;) {
    const found = find();
    if (found !== undefined) return found;
    await pause(2);
  }
}

const server = await openRealtimeServer({ answer: () => LONG, pace: 1, thinkMs: 200 });
const llm = createSpeechModel({
  name: 'scripted',
  format: 'advanced_voice',
  urls: [{ url: server.url }],
  modelName: 'gpt-realtime',
  secret: 'the-key',
  speech: { voice: 'marin', turns: 'server_vad', transcriptionModel: 'gpt-4o-mini-transcribe' },
});
const live = await openLiveEngine({ llm });
const audio = new PersonaAudio();
const client = await live.connect({ onAudio: ({ payload, arrivedAt }) => audio.packet(payload, arrivedAt) });
const peer = await until(() => server.peers[0]);
const marks = watch(peer);
const turn: number[] = [];
const sound: number[] = [];
const stop: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  audio.clear();
  marks.firstSound = 0;
  const from = engineNow();
  client.say(`Question ${round}?`);
  const heard = await until(() => audio.since(from).find(({ levelDb }) => levelDb > SILENT_DB));
  turn.push(marks.asked - from + (heard.at - marks.firstSound));
  sound.push(heard.at - marks.firstSound);
  await pause(1_500);
  const voiceAt = engineNow();
  peer.send({ type: 'input_audio_buffer.speech_started', audio_start_ms: 0, item_id: `voice_${round}` });
  await pause(500);
  const last = audio.since(voiceAt).findLast(({ levelDb }) => levelDb > SILENT_DB);
  stop.push((last?.at ?? voiceAt) - voiceAt);
  peer.send({ type: 'input_audio_buffer.speech_stopped', audio_end_ms: 0, item_id: `voice_${round}` });
  await pause(300);
}
const row = (name: string, values: readonly number[]): string[] => [
  name,
  ...[0.5, 0.95, 1].map((share) => quantile(values, share).toFixed(1)),
];
printTable(
  ['ms', 'p50', 'p95', 'max'],
  [
    row("added to a turn: question → asked, and model's sound → heard", turn),
    row("of it: model's first sound → heard", sound),
    row('the model hears a voice → silence', stop),
  ],
);
audio.close();
await live.close();
await server.close();
process.exit(0);
