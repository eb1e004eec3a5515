import { z } from 'zod';
import { httpUrl, nameText, secret } from '../option-values.ts';
import { ProviderError } from '../ports.ts';
import { limitKeyTerms } from './streaming/key-terms.ts';
import {
  pcmBytes,
  socketUrl,
  type Expected,
  type Outgoing,
  type ProtocolConnection,
  type ProtocolHandlers,
  type StreamingProtocol,
} from './streaming/protocol.ts';
import { createStreamingRecognizer } from './streaming/streaming-recognizer.ts';
import type { SttProvider } from './stt-provider.ts';
import { RateConverter } from '../rate-converter.ts';

const PROVIDER = 'openai-realtime';
const OPENAI = 'https://api.openai.com/v1';
/** The only sample rate of these sessions. */
const SERVICE_RATE = 24_000;
/** 96 ms. Each piece is a JSON message, a third larger than its audio. */
const PIECE_SAMPLES = 1_536;
/** Less than 100 ms of audio cannot be committed. Two pieces are 192 ms. */
const MIN_PIECES = 2;
/** There is no published limit. With long lists, models give words that were not said. */
const KEY_TERMS = { terms: 100, characters: 100, allCharacters: 2_000 };
/** The model that takes key terms and gives words while somebody speaks. Others take a prompt. */
const LIVE_MODEL = 'gpt-live-transcribe';
const MODEL_WITHOUT_PROMPT = 'gpt-realtime-whisper';

const options = z.object({
  baseUrl: httpUrl()
    .optional()
    .describe(`Address of the service, everything before \`/realtime\`. Unset: \`${OPENAI}\`.`),
  apiKey: secret().describe('Its key.'),
  model: nameText().default(LIVE_MODEL).describe('Its model name.'),
});

export const openAiRealtime: SttProvider<typeof options> = {
  id: PROVIDER,
  about: 'OpenAI realtime transcription: words while somebody speaks',
  where: 'service',
  languages: 'any',
  options,
  open: (settings) => createStreamingRecognizer(openAiRealtimeProtocol(settings)),
};

/**
 * OpenAI's realtime transcription sessions over the WebSocket `/v1/realtime?intent=transcription`
 * (developers.openai.com/api/docs/guides/realtime-transcription, and the reference of client and server events). Each
 * utterance is committed by Parley. Tested against a local server that speaks this format, never against the service
 * itself.
 */
export function openAiRealtimeProtocol(settings: z.output<typeof options>): StreamingProtocol {
  return {
    name: PROVIDER,
    languages: 'any',
    pieceSamples: PIECE_SAMPLES,
    // Sessions are not closed for silence, but after an hour. Then another one is opened.
    keepAliveEveryMs: null,
    request: () => ({
      url: socketUrl(settings.baseUrl ?? OPENAI, '/realtime', [['intent', 'transcription']]),
      headers: { authorization: `Bearer ${settings.apiKey}` },
    }),
    connect: (expected, handlers) => new RealtimeConnection(settings.model, expected, handlers),
  };
}

function transcription(model: string, { language, keyTerms }: Expected): Record<string, unknown> {
  const terms = limitKeyTerms(keyTerms, KEY_TERMS);
  if (model.startsWith(LIVE_MODEL))
    return {
      model,
      ...(language !== null && { languages: [language] }),
      ...(terms.length > 0 && { keywords: terms }),
    };
  return {
    model,
    ...(language !== null && { language }),
    ...(terms.length > 0 && !model.startsWith(MODEL_WITHOUT_PROMPT) && { prompt: terms.join(', ') }),
  };
}

const ITEM = 'conversation.item.input_audio_transcription';
const item = { item_id: z.string() };
const messageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('input_audio_buffer.committed'), ...item }),
  z.object({ type: z.literal(`${ITEM}.delta`), ...item, delta: z.string().optional() }),
  z.object({ type: z.literal(`${ITEM}.completed`), ...item, transcript: z.string() }),
  z.object({ type: z.literal(`${ITEM}.failed`), ...item }),
  z.object({
    type: z.literal('error'),
    error: z.object({ type: z.string().nullish(), code: z.string().nullish() }),
  }),
]);
type ServiceError = Extract<z.infer<typeof messageSchema>, { type: 'error' }>['error'];
const KNOWN = new Set<string>(messageSchema.options.map(({ shape }) => shape.type.value));

class RealtimeConnection implements ProtocolConnection {
  readonly #model: string;
  readonly #expected: Expected;
  readonly #handlers: ProtocolHandlers;
  readonly #upsampler = new RateConverter(16_000, SERVICE_RATE);
  /** Items in the order of their first message: one for each utterance. */
  readonly #items: string[] = [];
  readonly #words = new Map<string, string>();
  #pieces = 0;

  constructor(model: string, expected: Expected, handlers: ProtocolHandlers) {
    this.#model = model;
    this.#expected = expected;
    this.#handlers = handlers;
  }

  opened(): readonly Outgoing[] {
    const input = {
      format: { type: 'audio/pcm', rate: SERVICE_RATE },
      transcription: transcription(this.#model, this.#expected),
      turn_detection: null,
    };
    return [JSON.stringify({ type: 'session.update', session: { type: 'transcription', audio: { input } } })];
  }

  audio(pcm: Int16Array): readonly Outgoing[] {
    this.#pieces += 1;
    const audio = Buffer.from(pcmBytes(this.#upsampler.convert(pcm))).toString('base64');
    return [JSON.stringify({ type: 'input_audio_buffer.append', audio })];
  }

  finish(): readonly Outgoing[] {
    const fill: Outgoing[] = [];
    while (this.#pieces < MIN_PIECES) fill.push(...this.audio(new Int16Array(PIECE_SAMPLES)));
    this.#pieces = 0;
    return [...fill, JSON.stringify({ type: 'input_audio_buffer.commit' })];
  }

  keepAlive(): readonly Outgoing[] {
    return [];
  }

  closing(): readonly Outgoing[] {
    return [];
  }

  receive(json: unknown): void {
    const { type } = z.object({ type: z.string() }).parse(json);
    // The service sends further messages that are not needed, for example for each added item.
    if (!KNOWN.has(type)) return;
    const message = messageSchema.parse(json);
    if (message.type === 'error') return this.#failed(message.error);
    const { item_id: id } = message;
    if (!this.#items.includes(id)) this.#items.push(id);
    const utterance = this.#items.indexOf(id);
    const words = this.#words.get(id) ?? '';
    if (message.type === `${ITEM}.delta`) {
      this.#words.set(id, words + (message.delta ?? ''));
      this.#handlers.partial(utterance, (words + (message.delta ?? '')).trim());
    } else if (message.type !== 'input_audio_buffer.committed') {
      this.#words.delete(id);
      const text = message.type === `${ITEM}.completed` ? message.transcript : words;
      this.#handlers.final(utterance, text.trim(), this.#expected.language);
    }
  }

  #failed({ type, code }: ServiceError): void {
    const fail = (kind: 'auth' | 'rate-limit' | 'bad-request' | 'server', what: string, next: 'retry' | 'give up') =>
      this.#handlers.failed(new ProviderError(PROVIDER, kind, `The recognition service ${what}.`), next);
    if (code === 'invalid_api_key' || type === 'authentication_error')
      return fail('auth', 'refused the key', 'give up');
    if (code === 'insufficient_quota') return fail('auth', 'says that the account has no credit', 'give up');
    if (code === 'rate_limit_exceeded') return fail('rate-limit', 'has reached its limit', 'retry');
    // The session has ended after an hour.
    if (code === 'session_expired') return fail('server', 'closed the session', 'retry');
    if (type === 'invalid_request_error') return fail('bad-request', 'rejected the request', 'give up');
    fail('server', 'failed', 'retry');
  }
}
