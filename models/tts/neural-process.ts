import { saveCompileCache } from '../../runtime/compile-cache.ts';
import { getPriority, setPriority } from 'node:os';
import { exitWithParent } from '../../runtime/exit-with-parent.ts';
import type { LocalVoice } from '../sherpa/local-model.ts';
import { toPcm16 } from '../sherpa/samples.ts';
import { loadVoice } from '../sherpa/sherpa-onnx.ts';
import { breathGroups, endsInBreath, splitForFirstSound } from './breath-groups.ts';
import { estimateWords } from './estimated-words.ts';
import type { FromVoiceProcess, ToVoiceProcess } from './neural-protocol.ts';
import { fadeEdges } from './fade-edges.ts';
import { nextToSpeak } from './speaking-order.ts';
import { voicedPart } from './voiced-part.ts';

/**
 * The process of one neural model. It makes sentences piece by piece. After each piece the sentence goes on whose
 * listener waits, so that a long one does not delay the others, and a canceled one ends there.
 */

/** Audio and video frames, which are due every 20 and 40 ms, go first. */
const NICENESS = 5;
/**
 * How much of the model's silence before and after its audio is kept: for a soft onset, and a pause before the next
 * piece.
 */
const KEPT_BEFORE_S = 0.02;
const KEPT_AFTER_S = 0.15;
/** The same where a piece ends between words: the next one joins it without a gap. */
const KEPT_BETWEEN_WORDS_S = 0.02;

interface Job {
  readonly order: Extract<ToVoiceProcess, { type: 'speak' }>;
  readonly groups: string[];
  readonly askedAt: number;
  heardSince: number | null;
  /** Of sound that was sent. */
  sentMs: number;
}

const model = JSON.parse(process.argv[2] ?? '{}') as LocalVoice['model'];
const jobs: Job[] = [];
let state: 'idle' | 'speaking' = 'idle';

function send(message: FromVoiceProcess): void {
  // If the server has ended, the send fails. The event `disconnect` then ends this process.
  process.send?.(message, undefined, undefined, () => undefined);
}

setPriority(Math.max(NICENESS, getPriority()));
exitWithParent();

const voice = loadVoice(model.engine, model);

async function speakPiece({ order, groups, ...job }: Job): Promise<{ readonly ms: number }> {
  const text = groups.shift() ?? '';
  if (text.trim() === '') return { ms: 0 };
  const isCut = groups.length > 0 && !endsInBreath(text);
  // With a comma the voice does not fall as at the end of a sentence.
  const said = isCut ? `${text.trim()},` : text;
  const { samples, sampleRate } = await voice.speak(said, order.speaker, order.speed, order.lang);
  const part = voicedPart(samples);
  const from = Math.max(0, part.from - Math.round(KEPT_BEFORE_S * sampleRate));
  const to = Math.min(samples.length, part.to + Math.round((isCut ? KEPT_BETWEEN_WORDS_S : KEPT_AFTER_S) * sampleRate));
  const ms = (count: number) => (count * 1000) / sampleRate;
  const startMs = job.sentMs + ms(part.from - from);
  const words = estimateWords(text, order.language, ms(part.to - part.from)).map((word) => ({
    text: word.text,
    startMs: startMs + word.startMs,
    endMs: startMs + word.endMs,
  }));
  // It was canceled while the piece was made.
  if (jobs.some((one) => one.order.id === order.id))
    send({
      type: 'chunk',
      id: order.id,
      chunk: { pcm: toPcm16(fadeEdges(samples.subarray(from, to), sampleRate), order.volume), sampleRate, words },
    });
  return { ms: ms(to - from) };
}

async function speakAll(): Promise<void> {
  state = 'speaking';
  for (let job = nextToSpeak(jobs); job !== undefined; job = nextToSpeak(jobs)) {
    const { id } = job.order;
    try {
      job.sentMs += (await speakPiece(job)).ms;
      job.heardSince ??= performance.now();
    } catch {
      job.groups.length = 0;
      send({ type: 'failed', id });
      forget(id);
      continue;
    }
    if (job.groups.length > 0) continue;
    forget(id);
    send({ type: 'end', id });
  }
  state = 'idle';
}

function forget(id: number): void {
  const index = jobs.findIndex(({ order }) => order.id === id);
  if (index >= 0) jobs.splice(index, 1);
}

process.on('message', (message: ToVoiceProcess) => {
  if (message.type === 'cancel') return void forget(message.id);
  const groups = message.isWaitedFor ? splitForFirstSound(message.text) : breathGroups(message.text);
  jobs.push({ order: message, groups, askedAt: performance.now(), heardSince: null, sentMs: 0 });
  if (state === 'idle') void speakAll();
});
send({ type: 'ready' });
saveCompileCache();
