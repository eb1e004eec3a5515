import { parseArgs } from 'node:util';
import type { Provider, ProviderChoice } from '../../models/provider.ts';
import type { ProviderSettings } from '../../control/settings/provider-settings.ts';
import { COMMON_FLAGS, isKind, KINDS, optionFlags, type Kind } from './kinds.ts';

/** What is tried, and with what. */
export interface TryCommand {
  readonly kind: Kind;
  readonly provider: Provider;
  readonly choice: ProviderChoice;
  /** Settings of the service that mean the same, without the key itself. */
  readonly settings: readonly string[];
  readonly file: string | null;
  readonly text: string | null;
  readonly voice: string | null;
  readonly language: string;
  readonly tries: number;
  readonly out: string;
}

/** How each kind is tried. It prints what it does. @throws ProviderError | UsageError */
export type Try = (command: TryCommand, print: (line: string) => void) => Promise<void>;

/** The command cannot be carried out; `message` says why. */
export class UsageError extends Error {}

const MAX_TRIES = 20;

/** @returns what is to be tried; null: the user asks for help. @throws UsageError */
export function parseCommand(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): TryCommand | null {
  const [kind, id] = argv;
  if (argv.length === 0 || argv.includes('--help') || argv.includes('-h')) return null;
  if (kind === undefined || !isKind(kind))
    throw new UsageError(`The first word must be one of ${Object.keys(KINDS).join(', ')}.`);
  const settings: ProviderSettings<string, Provider> = KINDS[kind];
  const provider = settings.providers.find((known) => known.id === id);
  if (provider === undefined)
    throw new UsageError(`For ${kind} there are: ${settings.providers.map((known) => known.id).join(', ')}.`);
  const flags = optionFlags(kind, provider);
  const given = parseFlags(
    argv.slice(2),
    flags.map(({ flag }) => flag),
  );
  if (given['key'] !== undefined) given['api-key'] ??= given['key'];

  const values: Record<string, string> = { [`PARLEY_${settings.kind}_PROVIDER`]: provider.id };
  for (const { flag, setting } of flags) {
    const value = given[flag] ?? environment[setting];
    if (value !== undefined && value !== '') values[setting] = value;
  }
  const problems = settings.problems(values);
  if (problems.length > 0) throw new UsageError(problems.map((problem) => inFlags(problem, flags)).join('\n'));
  const choice = settings.choice(values);
  if (choice === null) throw new UsageError(`${provider.id} cannot be used with these options.`);
  return {
    kind,
    provider,
    choice,
    settings: Object.entries(values).map(([name, value]) => `${name}=${name.endsWith('_API_KEY') ? '…' : value}`),
    file: given['file'] ?? null,
    text: given['text'] ?? null,
    voice: given['voice'] ?? null,
    language: given['language'] ?? 'en',
    tries: triesOf(given['tries'] ?? '3'),
    out: given['out'] ?? 'speech.wav',
  };
}

function parseFlags(argv: string[], options: readonly string[]): Record<string, string | undefined> {
  try {
    const { values } = parseArgs({
      args: argv,
      options: {
        ...COMMON_FLAGS,
        key: { type: 'string' },
        ...Object.fromEntries(options.map((option) => [option, { type: 'string' as const }])),
      },
    });
    return values as Record<string, string | undefined>;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function triesOf(text: string): number {
  const tries = Number(text);
  if (!Number.isInteger(tries) || tries < 1 || tries > MAX_TRIES)
    throw new UsageError(`--tries must be a whole number from 1 to ${MAX_TRIES}.`);
  return tries;
}

/** "PARLEY_STT_API_KEY: is needed" with the flag before it. */
function inFlags(problem: string, flags: ReturnType<typeof optionFlags>): string {
  const found = flags.find(({ setting }) => problem.startsWith(`${setting}:`));
  return found === undefined ? problem : `--${found.flag} or ${problem}`;
}
