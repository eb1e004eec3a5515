import { systemTimers, type Timers } from '../../../runtime/clock.ts';
import type { Dial } from '../../http/service-socket.ts';
import { ProviderError, type LanguageModel } from '../../ports.ts';
import { AgentSession } from './agent-session.ts';
import { agentAddress, initiation, type AgentSettings } from './agent-settings.ts';

/**
 * An agent of ElevenLabs, with its own prompt, voice, tools and turns. It talks; it cannot be asked without a session.
 * @param options.dial how customers' addresses are reached.
 */
export function createAgentModel(
  name: string,
  settings: AgentSettings,
  options: { readonly dial?: Dial | undefined; readonly timers?: Timers } = {},
): LanguageModel {
  const url = new URL(agentAddress(settings));
  if (url.protocol === 'https:' || url.protocol === 'http:') url.protocol = url.protocol.replace('http', 'ws');
  return {
    name,
    speech: {
      turnsBy: 'agent',
      open(handlers) {
        const { dial, timers = systemTimers } = options;
        const address = { url, headers: {} };
        const session = new AgentSession({
          provider: name,
          address,
          initiation: initiation(settings),
          dial,
          timers,
          handlers,
        });
        return {
          llm: session.llm,
          recognizer: session.recognizer,
          synthesizer: session.voice,
          present: () => session.present(),
          context: (text) => session.context(text),
          heard: (segmentId) => session.heard(segmentId),
          cut: (segmentId, playedMs) => session.cut(segmentId, playedMs),
          close: () => session.close(),
        };
      },
    },
    // eslint-disable-next-line require-yield
    async *stream() {
      throw new ProviderError(name, 'unavailable', 'An agent can only be talked with.');
    },
  };
}
