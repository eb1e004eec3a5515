import { KINDS, optionFlags, type Kind } from './kinds.ts';

const HEAD = `Tries a provider: a few real requests, with the client that the service uses.

  node scripts/try-provider.ts stt        PROVIDER [--file speech.wav] [--language en]
  node scripts/try-provider.ts llm        PROVIDER [--text QUESTION]
  node scripts/try-provider.ts tts        PROVIDER [--voice ID] [--text SENTENCE] [--language en] [--out speech.wav]
  node scripts/try-provider.ts embeddings PROVIDER

  --voice ID      Default: one of the account, which is listed, or the first that is published
  --tries N       how often, 1 to 20. Default: 3
  --file FILE     16-bit mono WAV at 16 kHz. Default: three seconds of a recorded English sentence
  --out FILE      where the speech is saved. Default: speech.wav
  --key KEY       the same as --api-key

What is not given is taken from the settings in the environment, for example PARLEY_STT_API_KEY. A key in the environment
does not stay in the history of the shell.

Exit status: 0 it works, 1 it does not, 2 the command was not understood.

Providers and their options:
`;

/** @returns the text of `--help`. */
export function helpText(): string {
  const lines = (Object.keys(KINDS) as Kind[]).flatMap((kind) =>
    KINDS[kind].providers.map((provider) => {
      const flags = optionFlags(kind, provider).map(({ flag }) => `--${flag}`);
      return `  ${kind} ${provider.id}  ${flags.join(' ')}`.trimEnd();
    }),
  );
  return HEAD + lines.join('\n');
}
