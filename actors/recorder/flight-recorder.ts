import type { SessionCommand } from '../commands.ts';
import type { RecordedEvent, SessionEventType } from '../events.ts';
import { commandDigest } from './command-digest.ts';
import { LOG_VERSION, encodeEntry, withoutSecrets, type LogHeader } from './session-log.ts';

/** A session's log is closed at this size: about a day of talking. */
const MAX_LOG_CHARS = 64 * 1024 * 1024;
/**
 * And when this much of it is what the client sent: somebody who types all day makes a tenth of it, a client that
 * thinks for itself and speaks without a pause that much in two hours. A client that is made to fill the disk gets no
 * further.
 */
const MAX_CLIENT_CHARS = 8 * 1024 * 1024;

const UNWRITTEN_DIGEST = '0'.repeat(12);

/** Events that a client makes as often as it likes; its sound comes at the pace of time. */
const BY_CLIENT: ReadonlySet<SessionEventType> = new Set([
  'client.text',
  'client.interrupt',
  'client.context',
  'client.cue',
  'client.toolResult',
  'client.personaConfig',
  'client.talk',
  'client.talkChunk',
  'socket.opened',
  'socket.closed',
  'offer.received',
  'passthrough.refused',
  'meeting.participants',
  'meeting.speaking',
]);

/**
 * Writes down what enters a session's actor tree and what comes of it, so that the session can be replayed. Give it
 * every event that the tree handles and every command that it makes, in their order, and nothing of a session that
 * keeps no data.
 */
export class FlightRecorder {
  readonly #write: (line: string) => void;
  readonly #full: () => void;
  #written = 0;
  #writtenForClient = 0;
  #state: 'open' | 'full' = 'open';
  /** Lines that are written already, by the process that had the session before. */
  #known: number;
  #made = 0;

  /**
   * @param write takes one line with its end; must not throw. @param full called once, when nothing more is written.
   * @param known so many lines of this log exist already, and are left out here.
   */
  constructor(
    header: Omit<LogHeader, 'log' | 'version'>,
    write: (line: string) => void,
    full: () => void = () => {},
    known = 0,
  ) {
    this.#write = write;
    this.#full = full;
    this.#known = known;
    const first: LogHeader = {
      log: 'parley-session',
      version: LOG_VERSION,
      ...header,
      config: withoutSecrets(header.config),
    };
    this.#line(JSON.stringify(first));
  }

  /**
   * It is known only now how many lines of this log exist already: until now, none was written.
   * @returns false when fewer exist than were made here: this recorder is of no use.
   */
  recall(lines: number): boolean {
    if (this.#made > lines) return false;
    this.#known = lines - this.#made;
    return true;
  }

  event(recorded: RecordedEvent): void {
    if (this.#state === 'full') return;
    const text = encodeEntry({ kind: 'event', at: recorded.at, event: recorded.event });
    if (BY_CLIENT.has(recorded.event.type)) this.#writtenForClient += text.length;
    this.#line(text);
  }

  command(command: SessionCommand): void {
    if (this.#state === 'full') return;
    // A digest takes some time, and those of a line that exists are all equally long.
    const digest = this.#known > 0 ? UNWRITTEN_DIGEST : commandDigest(command);
    this.#line(encodeEntry({ kind: 'command', type: command.type, digest }));
  }

  /** A log that lacks lines in its middle cannot be replayed: the first one that is too much is the end of it. */
  #line(text: string): void {
    this.#written += text.length + 1;
    this.#made += 1;
    if (this.#written <= MAX_LOG_CHARS && this.#writtenForClient <= MAX_CLIENT_CHARS) {
      if (this.#known > 0) this.#known -= 1;
      else this.#write(`${text}\n`);
      return;
    }
    this.#state = 'full';
    this.#full();
  }
}
