import { ProviderError } from '../../models/ports.ts';
import { adviceFor } from './advice.ts';
import { parseCommand, UsageError, type Try } from './command.ts';
import { helpText } from './help.ts';
import type { Kind } from './kinds.ts';
import { tryEmbeddings } from './try-embeddings.ts';
import { tryLlm } from './try-llm.ts';
import { tryStt } from './try-stt.ts';
import { tryTts } from './try-tts.ts';

const TRIES: Readonly<Record<Kind, Try>> = { stt: tryStt, llm: tryLlm, tts: tryTts, embeddings: tryEmbeddings };

/** @param argv without the program. @returns the exit status: 0 it works, 1 it does not, 2 wrong usage. */
export async function runTry(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  print: (line: string) => void,
): Promise<number> {
  try {
    const command = parseCommand(argv, environment);
    if (command === null) {
      print(helpText());
      return argv.length === 0 ? 2 : 0;
    }
    const { kind, provider, settings } = command;
    print(`${kind} ${provider.id}${provider.about === undefined ? '' : `: ${provider.about}`}`);
    await TRIES[kind](command, print);
    print('It works. The settings of the service:');
    for (const line of settings) print(`  ${line}`);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      print(`${error.message}\nSee --help.`);
      return 2;
    }
    if (!(error instanceof ProviderError)) throw error;
    print(`It does not work. ${error.message}${error.reason === null ? '' : ` (${error.reason})`}`);
    print(adviceFor(error.code));
    return 1;
  }
}
