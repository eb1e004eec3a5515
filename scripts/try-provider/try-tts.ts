import { writeFile } from 'node:fs/promises';
import { ProviderError, type SpeechSynthesizer } from '../../models/ports.ts';
import { wavFile } from '../../models/stt/wav.ts';
import { ttsProvider } from '../../models/tts/registry.ts';
import { UsageError, type Try } from './command.ts';
import { median, time } from './times.ts';
import { voiceOfAccount } from './voice-of-account.ts';

const SENTENCE = 'Hello! It is nice to meet you. What would you like to talk about?';
const LIMIT_MS = 60_000;

interface Spoken {
  readonly pieces: readonly Int16Array[];
  readonly sampleRate: number;
  readonly firstMs: number;
  readonly wholeMs: number;
  readonly words: number;
}

/**
 * Lets a voice say a sentence a few times, and saves the last one. Without a voice, lists those of the account, and
 * takes one of them.
 */
export const tryTts: Try = async (command, print) => {
  const provider = ttsProvider(command.choice.provider);
  const account = command.voice === null ? provider.account?.(command.choice.options) : undefined;
  const voice =
    account === undefined
      ? (command.voice ?? provider.stockVoices[0]?.providerVoiceId)
      : await voiceOfAccount(provider.id, account, command.language, print);
  if (voice === undefined) throw new UsageError(`--voice is needed for ${provider.id}: the id of one of your voices.`);
  const text = command.text ?? SENTENCE;
  print(`The voice ${voice} says: "${text}"`);
  const synthesizer = provider.open(command.choice.options);
  const said: Spoken[] = [];
  try {
    for (let each = 1; each <= command.tries; each += 1) {
      const spoken = await say(synthesizer, { text, voice, language: command.language });
      const { firstMs, wholeMs } = spoken;
      print(`  ${each}: first sound after ${time(firstMs)}, all ${time(soundMs(spoken))} of it after ${time(wholeMs)}`);
      said.push(spoken);
    }
  } finally {
    await synthesizer.close();
  }
  const last = said.at(-1)!;
  await writeFile(command.out, wavFile(last.pieces, last.sampleRate));
  print(`Median: first sound after ${time(median(said.map(({ firstMs }) => firstMs)))}.`);
  print(`Times of words: ${last.words > 0 ? `${last.words}` : 'none; they are estimated'}. Saved: ${command.out}`);
};

async function say(
  synthesizer: SpeechSynthesizer,
  asked: { readonly text: string; readonly voice: string; readonly language: string },
): Promise<Spoken> {
  const askedAt = performance.now();
  const pieces: Int16Array[] = [];
  let rate: number | null = null;
  let firstMs: number | null = null;
  let known = 0;
  const request = { ...asked, tuning: {} };
  for await (const { pcm, sampleRate, words } of synthesizer.synthesize(request, AbortSignal.timeout(LIMIT_MS))) {
    known += words?.length ?? 0;
    if (pcm.length === 0) continue;
    firstMs ??= performance.now() - askedAt;
    rate = sampleRate;
    pieces.push(pcm);
  }
  if (firstMs === null || rate === null)
    throw new ProviderError(synthesizer.name, 'bad-response', 'The service answered without any sound.');
  return { pieces, sampleRate: rate, firstMs, wholeMs: performance.now() - askedAt, words: known };
}

function soundMs({ pieces, sampleRate }: Spoken): number {
  return (pieces.reduce((sum, { length }) => sum + length, 0) * 1000) / sampleRate;
}
