import type { LlmDefinition } from '../../llm/definition.ts';
import type { RealtimeSessionOptions } from '../realtime-session.ts';
import { GeminiConnection } from './gemini-connection.ts';
import { GeminiResumption } from './gemini-resumption.ts';

const PATH = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent';
/** The default voice of the settings, which is one of OpenAI. */
const OTHER_VOICE = 'marin';

/**
 * How a Gemini Live model is reached.
 * @param base `https://generativelanguage.googleapis.com`, or the full address of a server that speaks the same.
 */
export function geminiModel(
  { modelName, secret }: LlmDefinition,
  base: string,
  voice: string,
): Pick<RealtimeSessionOptions, 'address' | 'other'> {
  const url = new URL(base);
  url.protocol = url.protocol === 'http:' || url.protocol === 'ws:' ? 'ws:' : 'wss:';
  if (!url.pathname.startsWith('/ws/')) url.pathname = PATH;
  const setup = { model: modelName, voice: voice === OTHER_VOICE ? 'Puck' : voice };
  const resumption = new GeminiResumption();
  return {
    // Not in the address, where logs of proxies would have it.
    address: { url, headers: secret === null ? {} : { 'x-goog-api-key': secret } },
    other: { rate: 16_000, connect: (options) => new GeminiConnection({ ...options, setup, resumption }) },
  };
}
