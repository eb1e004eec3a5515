import { expect, it } from 'vitest';
import { VoiceCloningError } from '../../control/index.ts';
import { VoiceAccountError, type AccountProblem, type VoiceAccount } from '../../models/tts/account/voice-account.ts';
import { voiceCloners } from './voice-cloners.ts';

const account = (cloning?: VoiceAccount['cloning']): VoiceAccount => ({
  list: async () => [],
  sampleHeaders: {},
  origin: 'https://api.example.com',
  ...(cloning !== undefined && { cloning }),
  close: async () => {},
});
const failing = (problem: AccountProblem): VoiceAccount =>
  account({
    advice: 'A minute of speech.',
    languages: ['en'],
    clone: () => Promise.reject(new VoiceAccountError(problem, 'Cartesia says so.')),
    remove: () => Promise.reject(new VoiceAccountError(problem, 'Cartesia says so.')),
  });
const of = (provider: string, apiName: string, given: VoiceAccount) => ({
  service: 'tts',
  provider,
  apiName,
  account: given,
});
const wanted = {
  name: 'Me',
  description: null,
  organizationId: 'o',
  language: 'en',
  enhance: true,
  recording: { path: '/nowhere', filename: 'me.wav', contentType: 'audio/wav' },
  signal: AbortSignal.timeout(1_000),
};

it('knows the services that can copy a voice', () => {
  const accounts = [of('deepgram', 'DEEPGRAM', account()), of('cartesia', 'CARTESIA', failing('down'))];
  expect(voiceCloners({ accounts })).toMatchObject([
    { provider: 'CARTESIA', engineProvider: 'CARTESIA', family: 'cartesia', languages: ['en'] },
  ]);
});

it.each([
  ['request', 'request'],
  ['plan', 'plan'],
  ['busy', 'busy'],
  ['key', 'failed'],
  ['down', 'failed'],
] as const)('passes on why a service does not copy: %s', async (problem, told) => {
  const [cloner] = voiceCloners({ accounts: [of('cartesia', 'CARTESIA', failing(problem))] });
  for (const attempt of [cloner!.clone(wanted), cloner!.remove('v', wanted.signal)]) {
    const error = await attempt.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(VoiceCloningError);
    expect(error).toMatchObject({ problem: told, message: 'Cartesia says so.' });
  }
});
