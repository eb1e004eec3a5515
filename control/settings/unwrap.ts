import { withoutQuotes } from '../../runtime/without-quotes.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Another key could not read what was encrypted with the one as it is written. */
const EXACT = new Set(['PARLEY_MASTER_KEY', 'PARLEY_PREVIOUS_MASTER_KEY']);

/**
 * Leaves out what is around a value: `docker run --env-file` keeps the quotation marks of a file, and mounted secrets end
 * with a line feed. @returns all variables; master keys as they are.
 */
export function unwrap(environment: Environment): Environment {
  return Object.fromEntries(
    Object.entries(environment).map(([name, text]) => [
      name,
      EXACT.has(name) || text === undefined ? text : withoutQuotes(text),
    ]),
  );
}
