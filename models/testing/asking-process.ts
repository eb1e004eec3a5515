import { createOpenAiCompatibleEmbedder } from '../embeddings/openai-compatible.ts';
import { createLanguageModel, EndpointLatencies } from '../llm/index.ts';
import { ProviderError, type SpeechSynthesizer } from '../ports.ts';
import { createOpenAiCompatibleRecognizer } from '../stt/openai-compatible.ts';
import { createCartesiaHttp } from '../tts/cartesia-http.ts';
import { createElevenLabsHttp } from '../tts/elevenlabs-http.ts';
import { createOpenAiCompatibleSynthesizer } from '../tts/openai-compatible.ts';

/** Asks an endpoint as the service does, in a process of its own, so that its memory can be looked at. */

export type Client = keyof typeof CLIENTS;

export interface Question {
  readonly client: Client;
  readonly url: string;
  /** How long a language model may say nothing. */
  readonly silenceMs: number;
}

/** How it ended, and the most memory that this process had by then. */
export interface Outcome {
  readonly ended: 'complete' | ProviderError['code'] | 'not a ProviderError';
  readonly message: string;
  readonly peakMb: number;
}

const unaborted = new AbortController().signal;

const CLIENTS = {
  openai: (url: string, silenceMs: number) => chat('openai', url, silenceMs),
  azure: (url: string, silenceMs: number) => chat('azure_openai', url, silenceMs),
  gemini: (url: string, silenceMs: number) => chat('gemini', url, silenceMs),
  embeddings: (url: string) => createOpenAiCompatibleEmbedder({ url, modelName: 'm', secret: 'k' }, unaborted),
  recognizer: transcribe,
  speech: (url: string) => speak(createOpenAiCompatibleSynthesizer({ baseUrl: url, apiKey: 'k', model: 'm' })),
  elevenlabs: (url: string) => speak(createElevenLabsHttp({ baseUrl: url, apiKey: 'k' })),
  cartesia: (url: string) => speak(createCartesiaHttp({ baseUrl: url, apiKey: 'k' })),
} as const satisfies Record<string, (url: string, silenceMs: number) => Promise<unknown>>;

async function chat(format: string, url: string, silenceMs: number): Promise<void> {
  const definition = { name: 'hostile', format, urls: [{ url }], modelName: 'm', secret: 'k' };
  const deadlines = { firstTokenMs: silenceMs, idleMs: silenceMs };
  const model = createLanguageModel(definition, { deadlines, latencies: new EndpointLatencies() });
  const messages = [{ role: 'user', content: 'Hello?' }] as const;
  const request = { messages, tools: [], sessionId: 's', correlationId: 'c', language: 'en' };
  let said = '';
  for await (const item of model.stream(request, unaborted)) if (item.type === 'text') said += item.text;
}

function transcribe(baseUrl: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const recognizer = createOpenAiCompatibleRecognizer({ baseUrl, model: 'm' });
    const handlers = { partial: () => {}, final: () => resolve(), failed: reject };
    const stream = recognizer.open({ language: 'en', keyTerms: [], handlers });
    stream.write(new Int16Array(16_000));
    stream.finish();
  });
}

/** Keeps the sound, as a session does that has not come to play it. */
async function speak(synthesizer: SpeechSynthesizer): Promise<void> {
  const kept: Int16Array[] = [];
  const request = { text: 'How are you today?', voice: 'v', language: 'en', tuning: {} };
  for await (const { pcm } of synthesizer.synthesize(request, unaborted)) kept.push(pcm);
}

async function ask({ client, url, silenceMs }: Question): Promise<Pick<Outcome, 'ended' | 'message'>> {
  try {
    await CLIENTS[client](url, silenceMs);
    return { ended: 'complete', message: '' };
  } catch (error) {
    if (error instanceof ProviderError) return { ended: error.code, message: error.message };
    return { ended: 'not a ProviderError', message: String(error) };
  }
}

function tell(outcome: Pick<Outcome, 'ended' | 'message'>): void {
  process.send?.({ ...outcome, peakMb: process.resourceUsage().maxRSS / 1024 } satisfies Outcome);
}

process.on('message', (question: Question) => void ask(question).then(tell));
process.on('disconnect', () => process.exit(0));
// Everything is loaded: what is told from now on can be compared with this.
tell({ ended: 'complete', message: '' });
