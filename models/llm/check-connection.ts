import { ProviderError, type LanguageModel } from '../ports.ts';

export type ConnectionCheck =
  | { readonly ok: true; readonly firstTokenMs: number }
  /** `message` says what to change, for the person who configures the LLM. */
  | { readonly ok: false; readonly code: ProviderError['code']; readonly message: string };

/** Asks a model one short question, to check the settings when they are saved. Never rejects. */
export async function checkConnection(model: LanguageModel, signal: AbortSignal): Promise<ConnectionCheck> {
  const askedAt = performance.now();
  try {
    const stream = model.stream(
      {
        messages: [{ role: 'user', content: 'Reply with the word OK.' }],
        tools: [],
        sessionId: 'connection-check',
        correlationId: 'connection-check',
        language: 'en',
      },
      signal,
    );
    for await (const event of stream) {
      if (event.type !== 'done') return { ok: true, firstTokenMs: performance.now() - askedAt };
    }
    return { ok: false, code: 'bad-response', message: 'The language model answered with nothing.' };
  } catch (error) {
    if (error instanceof ProviderError) return { ok: false, code: error.code, message: withReason(error) };
    return { ok: false, code: 'unavailable', message: 'The language model could not be asked.' };
  }
}

function withReason({ message, reason }: ProviderError): string {
  return reason === null ? message : `${message.replace(/\.$/, '')}: ${reason}.`;
}
