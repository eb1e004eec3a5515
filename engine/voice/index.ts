import { ProviderError, type SpeechSynthesizer } from '../../models/ports.ts';
import type { Voice } from '../ports.ts';
import type { Timers } from '../clock.ts';
import { Pacer } from './pacer.ts';
import { silencePacket } from './silence-packet.ts';
import { SessionVoice, type VoiceLog } from './voice-output.ts';

export type { VoiceLog } from './voice-output.ts';

/**
 * How all sessions of the process speak.
 * @param options.synthesizers by provider, as `VoiceChoice.provider` names them. They stay the caller's: closing the
 *   voice does not close them.
 * @param options.timers engine time and timers; those of the machine or a test's.
 */
export function createVoice(options: { synthesizers: Readonly<Record<string, SpeechSynthesizer>>; timers: Timers; log: VoiceLog }): Voice {
  const { synthesizers, timers, log } = options;
  const pacer = new Pacer(timers);
  silencePacket();
  const sessions = new Set<SessionVoice>();
  return {
    /** @throws ProviderError `unavailable` when no such synthesiser is configured. */
    open({ sessionId, provider, providerVoiceId, tuning, passthrough, handlers }) {
      const synthesizer = Object.hasOwn(synthesizers, provider) ? synthesizers[provider] : undefined;
      if (!synthesizer) throw new ProviderError(provider, 'unavailable', `The voice provider "${provider}" is not configured.`);
      const session: SessionVoice = new SessionVoice({
        sessionId, synthesizer, voiceId: providerVoiceId, tuning, takesPassthrough: passthrough, handlers, pacer, timers, log,
        onClose: () => sessions.delete(session),
      });
      sessions.add(session);
      return session;
    },
    async close() {
      for (const session of sessions) session.close();
      pacer.close();
    },
  };
}
