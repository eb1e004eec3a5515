import { parseIsoTime } from '../kernel/iso-time.ts';
import type { SessionCommand } from '../commands.ts';
import { seededIds } from '../kernel/seeded-ids.ts';
import { createSession } from './create-session.ts';
import { SteppingClock } from '../kernel/stepping-clock.ts';
import { commandDigest } from '../recorder/command-digest.ts';
import { oldCommand } from '../recorder/log-version-1.ts';
import type { LogEntry, LogVersion, SessionLog } from '../recorder/session-log.ts';

/** Where a replay and its log part. */
export interface Difference {
  /** ms on the session's clock. */
  readonly at: number;
  /** Type of the event in whose wake it happened. */
  readonly after: string;
  /** Type of the command in the log; null when the log has none there. */
  readonly recorded: string | null;
  /** The command that was made now; null when there was none. */
  readonly made: SessionCommand | null;
}

export interface Replayed {
  readonly events: number;
  readonly commands: number;
  /** Null when every command was the same. */
  readonly difference: Difference | null;
  /** Types of all decisions with their times, for a look at what happened. */
  readonly decisions: readonly { readonly at: number; readonly command: SessionCommand }[];
}

/** Commands that prepare a decision and are none. A log of before there were any is replayed without them. */
const HINTS: ReadonlySet<string> = new Set<SessionCommand['type']>(['speech.prepare']);

/** Runs a log through the machines again, on a clock that follows it, and compares what they decide. */
export function replay(log: SessionLog): Replayed {
  const { header, entries } = log;
  const clock = new SteppingClock();
  const decisions: { at: number; command: SessionCommand }[] = [];
  const session = createSession({
    config: header.config,
    clock,
    ids: seededIds(header.idSeed),
    startedAtWall: parseIsoTime(header.startedAt),
    endOfTurnModelAvailable: header.endOfTurnModelAvailable,
    perform: (command) => decisions.push({ at: clock.now(), command }),
  });
  const events = entries.filter((entry) => entry.kind === 'event');
  for (const { at, event } of events) {
    clock.advanceTo(at);
    session.dispatch(event);
  }
  // A log may end between an event and what came of it later: go on until the last recorded command was due.
  const recorded = entries.filter((entry) => entry.kind === 'command');
  const hasHints = recorded.some(({ type }) => HINTS.has(type));
  const decided = (): typeof decisions =>
    hasHints ? decisions : decisions.filter(({ command }) => !HINTS.has(command.type));
  for (let waited = 0; decided().length < recorded.length && waited < MAX_WAIT_MS; waited += WAIT_STEP_MS)
    clock.advance(WAIT_STEP_MS);
  session.stop();
  return {
    events: events.length,
    commands: recorded.length,
    difference: compare(header.version, entries, recorded, decided()),
    decisions,
  };
}

/** The longest timer of a session is its silence limit of 7200 s. */
const MAX_WAIT_MS = 7_200_000;
const WAIT_STEP_MS = 1_000;

function compare(
  version: LogVersion,
  entries: readonly LogEntry[],
  recorded: readonly Extract<LogEntry, { kind: 'command' }>[],
  made: readonly { readonly at: number; readonly command: SessionCommand }[],
): Difference | null {
  // A killed process may not have written its last commands: more of them now is no difference.
  for (const [number, entry] of recorded.entries()) {
    const now = made[number];
    if (
      now !== undefined &&
      now.command.type === entry.type &&
      commandDigest(version === 1 ? oldCommand(now.command) : now.command) === entry.digest
    )
      continue;
    const before = entries.slice(0, entries.indexOf(entry)).findLast((other) => other.kind === 'event');
    return {
      at: now?.at ?? before?.at ?? 0,
      after: before?.event.type ?? 'the start',
      recorded: entry.type,
      made: now?.command ?? null,
    };
  }
  return null;
}
