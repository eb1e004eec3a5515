import { VoiceCloningError, type VoiceCloner } from '../../control/index.ts';
import { ttsProvider } from '../../engine/index.ts';
import { VoiceAccountError, type AccountProblem } from '../../models/tts/account/voice-account.ts';
import type { VoiceAccounts } from './voice-accounts.ts';

const PROBLEMS: Readonly<Record<AccountProblem, VoiceCloningError['problem']>> = {
  request: 'request',
  plan: 'plan',
  busy: 'busy',
  // Nothing that the user of the API could do.
  key: 'failed',
  down: 'failed',
};

/** @returns the services of this deployment that can copy a voice, in the operator's order. */
export function voiceCloners({ accounts }: Pick<VoiceAccounts, 'accounts'>): VoiceCloner[] {
  return accounts.flatMap(({ provider, apiName, account: { cloning } }) => {
    if (cloning === undefined) return [];
    return [
      {
        provider: apiName,
        engineProvider: apiName,
        family: ttsProvider(provider).family,
        advice: cloning.advice,
        languages: cloning.languages,
        async clone({ signal, ...wanted }) {
          const providerVoiceId = await cloning.clone(wanted, signal).catch(refuse);
          return { providerVoiceId, providerModelId: null };
        },
        remove: (voice, signal) => cloning.remove(voice, signal).catch(refuse),
      },
    ];
  });
}

/** Errors of the account become errors of the control plane. */
function refuse(error: unknown): never {
  if (!(error instanceof VoiceAccountError)) throw error;
  throw new VoiceCloningError(PROBLEMS[error.problem], error.message, { cause: error });
}
