import { systemTimers } from '../../runtime/clock.ts';
import type { Timers } from '../../runtime/clock.ts';
import type { Dial } from '../http/service-socket.ts';
import type { LlmDefinition } from '../llm/definition.ts';
import { ProviderError, type LanguageModel, type SpeechModelHandlers } from '../ports.ts';
import { geminiModel } from './gemini/gemini-model.ts';
import { realtimeAddress } from './realtime-address.ts';
import { RealtimeSession } from './realtime-session.ts';
import { speechSettings } from './settings.ts';

/**
 * A model that speaks OpenAI's Realtime protocol (OpenAI, Azure OpenAI, servers of one's own). Asked without a session,
 * it answers in text, on a connection of its own.
 * @param options.dial how customers' addresses are reached. @throws ProviderError `unavailable` when there is no
 * address.
 */
export function createSpeechModel(
  definition: LlmDefinition,
  options: { readonly dial?: Dial | undefined; readonly timers?: Timers } = {},
): LanguageModel {
  const { name, urls, maxTokens = null } = definition;
  const [first] = urls;
  if (first === undefined) throw new ProviderError(name, 'unavailable', 'The speech model has no URL.');
  const settings = { ...speechSettings.parse(definition.speech ?? {}), maxTokens };
  const open = (output: 'audio' | 'text', handlers: SpeechModelHandlers): RealtimeSession =>
    new RealtimeSession({
      provider: name,
      ...(settings.protocol === 'gemini'
        ? geminiModel(definition, first.url, settings.voice)
        : { address: realtimeAddress(definition, first.url) }),
      settings,
      output,
      dial: options.dial,
      timers: options.timers ?? systemTimers,
      handlers,
    });
  return {
    name,
    speech: {
      turnsBy: settings.turns === 'parley' ? 'parley' : 'model',
      open(handlers) {
        const session = open('audio', handlers);
        return {
          llm: session.llm,
          recognizer: session.recognizer,
          synthesizer: session.voice,
          heard: (segmentId) => session.voice.heard(segmentId),
          cut: (segmentId, playedMs) => session.cut(segmentId, playedMs),
          close: () => session.close(),
        };
      },
    },
    async *stream(request, signal) {
      const session = open('text', { voice() {}, lost() {}, metered: (use) => request.metered?.(use) });
      try {
        yield* session.llm.stream(request, signal);
      } finally {
        session.close();
      }
    },
  };
}
