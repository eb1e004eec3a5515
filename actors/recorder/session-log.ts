import type { SessionConfig, ToolDefinition } from '../session-config.ts';
import type { RecordedEvent, SessionEvent, SessionEventType } from '../events.ts';
import { commandType, eventType, sessionConfig } from './log-version-1.ts';

/**
 * The flight recorder's file: one JSON text per line. The first line is the header, the others are entries in the order
 * in which they were handled:
 *
 *   [at, "w", probability, levelDb, endsAt]          a VAD window (31 a second, so it is short)
 *   [at, "w", probability, levelDb, endsAt, loudMs]  the same where only its first ms are loud
 *   [at, "stt.partial", {"text": "…"}]            any other event
 *   ["!", "speech.say", "9f86d081884c"]               a command that came of it: its type and a digest of all of it
 *
 * `at` is ms on the session's clock; a command belongs to the event above it, or to a timer after that. The log is
 * content: without data retention there is none.
 */

export const LOG_VERSION = 2;
/** Version 1 has other names (`log-version-1.ts`). */
export type LogVersion = 1 | typeof LOG_VERSION;

export interface LogHeader {
  readonly log: 'parley-session';
  readonly version: LogVersion;
  /** Version of the software that wrote it: another one may decide differently. */
  readonly software: string;
  /** Wall-clock time of the session's start, ISO 8601. */
  readonly startedAt: string;
  /** Seed of the session's ids. */
  readonly idSeed: string;
  readonly endOfTurnModelAvailable: boolean;
  /** Without the secrets of tools, which no decision depends on. */
  readonly config: SessionConfig;
}

export type LogEntry =
  | { readonly kind: 'event'; readonly at: number; readonly event: SessionEvent }
  | { readonly kind: 'command'; readonly type: string; readonly digest: string };

export interface SessionLog {
  readonly header: LogHeader;
  readonly entries: readonly LogEntry[];
}

const WINDOW = 'w';
const COMMAND = '!';

/** Leaves out addresses and headers of webhooks and MCP servers: they may hold credentials. */
export function withoutSecrets(config: SessionConfig): SessionConfig {
  return { ...config, tools: config.tools.map(withoutSecret) };
}

function withoutSecret(tool: ToolDefinition): ToolDefinition {
  if (tool.kind === 'webhook') return { ...tool, url: '', headers: {}, bodyTemplate: null };
  if (tool.kind === 'mcp') return { ...tool, server: { ...tool.server, url: '', auth: { type: 'none' } } };
  return tool;
}

export function encodeEntry(entry: LogEntry): string {
  if (entry.kind === 'command') return JSON.stringify([COMMAND, entry.type, entry.digest]);
  const { at, event } = entry;
  if (event.type === 'vad.window') {
    const { probability, levelDb, endsAt, loudMs } = event;
    return JSON.stringify([at, WINDOW, probability, levelDb, endsAt, ...(loudMs === undefined ? [] : [loudMs])]);
  }
  const { type, ...rest } = event;
  return JSON.stringify(Object.keys(rest).length === 0 ? [at, type] : [at, type, rest]);
}

export class BadLogError extends Error {
  readonly line: number;
  constructor(line: number, problem: string) {
    super(`Line ${line} of the log: ${problem}`);
    this.name = 'BadLogError';
    this.line = line;
  }
}

/**
 * @param text a whole log. A last line that is cut short, as a killed process leaves it, is dropped.
 * @throws BadLogError naming the line.
 */
export function decodeLog(text: string): SessionLog {
  const lines = text.split('\n');
  const complete = text.endsWith('\n') ? lines.slice(0, -1) : lines;
  const header = decodeHeader(complete[0] ?? '');
  const names = NAMES[header.version];
  const entries: LogEntry[] = [];
  for (const [at, line] of complete.entries()) {
    if (at === 0) continue;
    const isLast = at === complete.length - 1 && !text.endsWith('\n');
    const entry = decodeEntry(line, names, at + 1, isLast);
    if (entry !== null) entries.push(entry);
  }
  return { header, entries };
}

/** The present names of events and commands, from those of a version. */
interface Names {
  event(type: string): string;
  command(type: string): string;
}

const NAMES: Readonly<Record<LogVersion, Names>> = {
  1: { event: eventType, command: commandType },
  [LOG_VERSION]: { event: (type) => type, command: (type) => type },
};

function decodeHeader(line: string): LogHeader {
  const header = parsed(line) as Partial<LogHeader> | undefined;
  if (typeof header !== 'object' || header === null || header.log !== 'parley-session')
    throw new BadLogError(1, 'this is not a session log.');
  if (header.version !== 1 && header.version !== LOG_VERSION)
    throw new BadLogError(
      1,
      `version ${String(header.version)} is not known; this software reads versions 1 and ${LOG_VERSION}.`,
    );
  if (typeof header.idSeed !== 'string' || typeof header.startedAt !== 'string' || typeof header.config !== 'object')
    throw new BadLogError(1, 'the header is incomplete.');
  const written = header as LogHeader;
  const config = written.version === 1 ? sessionConfig(written.config) : written.config;
  return { ...written, config: withMeeting(config) };
}

/** Logs from before there were meetings say only whether it was a group call. */
function withMeeting(config: SessionConfig & { readonly groupCall?: boolean }): SessionConfig {
  const { groupCall, ...others } = config;
  if (groupCall === undefined) return config;
  return { ...others, meeting: groupCall ? { displayName: config.personaName, groupCall } : null };
}

function decodeEntry(line: string, names: Names, number: number, mayBeCut: boolean): LogEntry | null {
  const value = parsed(line);
  if (value === undefined && mayBeCut) return null;
  if (Array.isArray(value) && value[0] === COMMAND)
    return { kind: 'command', type: names.command(String(value[1])), digest: String(value[2]) };
  const recorded = decodeEvent(value, names.event);
  if (recorded === null) throw new BadLogError(number, 'this is not an entry.');
  return { kind: 'event', ...recorded };
}

/**
 * @param value what `encodeEntry` wrote of an event, parsed. @param nameOf the present name of a type.
 * @returns null when it is something else.
 */
export function decodeEvent(value: unknown, nameOf: (type: string) => string = (type) => type): RecordedEvent | null {
  if (!Array.isArray(value) || typeof value[0] !== 'number' || typeof value[1] !== 'string') return null;
  const [at, type, first, second, third, fourth] = value as [number, string, unknown, unknown, unknown, unknown];
  if (type === WINDOW) {
    const loud = fourth === undefined ? {} : { loudMs: Number(fourth) };
    return {
      at,
      event: {
        type: 'vad.window',
        probability: Number(first),
        levelDb: Number(second),
        endsAt: Number(third),
        ...loud,
      },
    };
  }
  return {
    at,
    event: { type: nameOf(type) as SessionEventType, ...(first as object | undefined) } as SessionEvent,
  };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
