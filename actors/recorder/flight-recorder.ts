import type { SessionCommand } from '../commands.ts';
import type { RecordedEvent } from '../events.ts';
import { commandDigest } from './command-digest.ts';
import { LOG_VERSION, encodeEntry, withoutSecrets, type LogHeader } from './session-log.ts';

/** A session's log is closed at this size: about a day of talking. */
const LARGEST_LOG_CHARS = 64 * 1024 * 1024;

/**
 * Writes down what enters a session's actor tree and what comes of it, so that the session can be replayed. Give it
 * every event that the tree handles and every command that it makes, in their order, and nothing of a session that
 * keeps no data.
 */
export class FlightRecorder {
  readonly #write: (line: string) => void;
  #written = 0;

  /** @param write takes one line with its end; must not throw. */
  constructor(header: Omit<LogHeader, 'log' | 'version'>, write: (line: string) => void) {
    this.#write = write;
    const first: LogHeader = { log: 'parley-session', version: LOG_VERSION, ...header, config: withoutSecrets(header.config) };
    this.#line(JSON.stringify(first));
  }

  event(recorded: RecordedEvent): void {
    this.#line(encodeEntry({ kind: 'event', at: recorded.at, event: recorded.event }));
  }

  command(command: SessionCommand): void {
    this.#line(encodeEntry({ kind: 'command', type: command.type, digest: commandDigest(command) }));
  }

  #line(text: string): void {
    if (this.#written + text.length > LARGEST_LOG_CHARS) return;
    this.#written += text.length + 1;
    this.#write(`${text}\n`);
  }
}
