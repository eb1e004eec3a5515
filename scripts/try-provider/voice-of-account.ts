import { ProviderError, type ProviderErrorCode } from '../../models/ports.ts';
import { type AccountProblem, VoiceAccountError, type VoiceAccount } from '../../models/tts/account/voice-account.ts';
import { UsageError } from './command.ts';

const LIMIT_MS = 60_000;
/** An account may have hundreds. */
const MAX_SHOWN = 20;

const CODES: Readonly<Record<AccountProblem, ProviderErrorCode>> = {
  request: 'bad-request',
  plan: 'auth',
  key: 'auth',
  busy: 'rate-limit',
  down: 'connect',
};

/**
 * Lists the voices of an account. @returns the id of one that speaks the language, else of the first one.
 * @throws ProviderError | UsageError
 */
export async function voiceOfAccount(
  provider: string,
  account: VoiceAccount,
  language: string,
  print: (line: string) => void,
): Promise<string> {
  try {
    const voices = await account.list(AbortSignal.timeout(LIMIT_MS));
    print(`The account has ${voices.length === 1 ? '1 voice' : `${voices.length} voices`}:`);
    for (const { providerVoiceId, displayName, languages } of voices.slice(0, MAX_SHOWN))
      print(`  ${providerVoiceId}  ${displayName}${languages === null ? '' : ` (${languages.join(', ')})`}`);
    if (voices.length > MAX_SHOWN) print(`  … and ${voices.length - MAX_SHOWN} more`);
    const voice = voices.find(({ languages }) => languages?.includes(language) === true) ?? voices[0];
    if (voice === undefined)
      throw new UsageError(`--voice is needed for ${provider}: the account tells of no voice that it can use.`);
    return voice.providerVoiceId;
  } catch (error) {
    if (!(error instanceof VoiceAccountError)) throw error;
    throw new ProviderError(provider, CODES[error.problem], error.message, { cause: error });
  } finally {
    await account.close();
  }
}
