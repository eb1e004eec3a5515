import pino, { type DestinationStream, type Logger } from 'pino';
import { logDestination } from './log-destination.ts';

/** What is told of an error: what it is, and where. */
interface PlainError {
  readonly type: string;
  readonly message: string;
  readonly code?: string | number;
  readonly stack?: string;
  /** The kinds of errors behind it, without their words. */
  readonly because?: readonly string[];
}

/** In place of the message of a `SyntaxError`. */
const UNREADABLE = 'A text could not be read.';

/** Longest chain of causes that is followed. */
const MAX_CAUSES = 5;

/**
 * The service's log. Of errors it writes only their own words: what providers and databases add to theirs (an answer's
 * body, the row that did not fit, the error behind it) may quote a conversation. So may the words of a `SyntaxError`: V8
 * repeats the first characters of a text that is not JSON.
 * @param destination standard output unless a test reads it.
 */
export function openLog(level: string, destination: DestinationStream = logDestination()): Logger {
  const options = { level, serializers: { err: plainError } };
  return pino(options, destination);
}

function plainError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const because = kindsBehind(error);
  const code = codeOf(error);
  const message = error instanceof SyntaxError ? UNREADABLE : error.message;
  return {
    type: error.name,
    message,
    ...(code !== undefined && { code }),
    ...(error.stack !== undefined && { stack: error.stack.replace(error.message, () => message) }),
    ...(because.length > 0 && { because }),
  } satisfies PlainError;
}

function kindsBehind(error: Error): string[] {
  const kinds: string[] = [];
  for (let cause = error.cause; cause instanceof Error && kinds.length < MAX_CAUSES; cause = cause.cause) {
    const code = codeOf(cause);
    kinds.push(code === undefined ? cause.name : `${cause.name} ${code}`);
  }
  return kinds;
}

function codeOf(error: Error): string | number | undefined {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' || typeof code === 'number' ? code : undefined;
}
