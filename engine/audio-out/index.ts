import type { SpeechSynthesizer } from '../../models/ports.ts';
import { withFallbackVoice } from '../../models/speech-to-speech/with-fallback-voice.ts';
import { type AudioOut, VoiceUnavailableError } from '../ports.ts';
import type { Timers } from '../../runtime/clock.ts';
import { Pacer } from './pace/pacer.ts';
import { silencePacket } from './encode/silence-packet.ts';
import type { AudioOutLog } from './guarded-handlers.ts';
import { SessionAudioOut } from './session-audio-out.ts';

export type { AudioOutLog } from './guarded-handlers.ts';

/**
 * How all sessions of the process speak.
 * @param options.synthesizers by provider, as `VoiceChoice.provider` names them. They stay the caller's: closing the
 *   voice does not close them.
 * @param options.timers engine time and timers; those of the machine or a test's.
 */
export function createAudioOut(options: {
  synthesizers: Readonly<Record<string, SpeechSynthesizer>>;
  timers: Timers;
  log: AudioOutLog;
}): AudioOut {
  const { synthesizers, timers, log } = options;
  const pacer = new Pacer(timers);
  silencePacket();
  const sessions = new Set<SessionAudioOut>();
  return {
    /** @throws VoiceUnavailableError */
    open({
      sessionId,
      provider,
      providerVoiceId,
      speaker = null,
      tuning,
      language,
      passthrough,
      passthroughLimits,
      handlers,
    }) {
      const synthesizer = Object.hasOwn(synthesizers, provider) ? synthesizers[provider] : undefined;
      if (!synthesizer) throw new VoiceUnavailableError(provider);
      if (language !== undefined) synthesizer.warm?.({ voice: providerVoiceId, language, tuning });
      const session: SessionAudioOut = new SessionAudioOut({
        sessionId,
        synthesizer: speaker === null ? synthesizer : withFallbackVoice(speaker, synthesizer),
        voiceId: providerVoiceId,
        tuning,
        takesPassthrough: passthrough,
        passthroughLimits,
        handlers,
        pacer,
        timers,
        log,
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
