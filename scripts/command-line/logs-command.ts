import { setTimeout as wait } from 'node:timers/promises';
import { type Api, CommandError, personaNamed } from './api.ts';

export interface LogsCommand {
  /** Its name or id. */
  readonly persona: string;
  /** How many sessions of before are printed. */
  readonly last: number;
  readonly follow: 'yes' | 'no';
}

interface Session {
  readonly id: string;
  readonly personaVersion: number | 'draft' | null;
  readonly source: string | null;
  readonly clientLabel: string | null;
  readonly startTime: string;
  readonly endTime: string | null;
  readonly sessionLengthMs: number | null;
  readonly endReason: string | null;
  readonly grade: string | null;
}

interface Transcript {
  readonly messages: readonly { readonly role: string; readonly message: string; readonly timestamp: string }[];
}

interface ToolCall {
  readonly toolName: string;
  readonly status: string;
  readonly startedAt: string;
  readonly errorMessage?: string | null;
}

/** More are found in the console. */
const MAX_SESSIONS = 100;
const LOOK_MS = 2_000;

/** Prints the last sessions of a persona, the newest at the end, and with `follow` each one that ends from then on. */
export async function logs(api: Api, command: LogsCommand, print: (line: string) => void): Promise<void> {
  const { last, follow } = command;
  if (!Number.isInteger(last) || last < 1 || last > MAX_SESSIONS)
    throw new CommandError(`--last is a number from 1 to ${MAX_SESSIONS}.`);
  const path = `/v1/sessions?personaId=${await personaNamed(api, command.persona)}`;
  const told = new Set<string>();
  for (let count = last; ; count = MAX_SESSIONS) {
    const { data } = await api.send<{ data: readonly Session[] }>('GET', `${path}&perPage=${count}`);
    for (const session of data.toReversed()) {
      const isOver = session.endTime !== null;
      if (told.has(session.id) || (follow === 'yes' && !isOver)) continue;
      told.add(session.id);
      for (const line of await linesOf(api, session)) print(line);
    }
    if (told.size === 0 && follow === 'no') print('Nobody has talked with it yet.');
    if (follow === 'no') return;
    await wait(LOOK_MS);
  }
}

async function linesOf(api: Api, session: Session): Promise<string[]> {
  const path = `/v1/sessions/${session.id}`;
  const [{ messages }, { toolCalls }] = await Promise.all([
    api.send<Transcript>('GET', `${path}/transcript`).catch(nothingKept({ messages: [] })),
    api.send<{ toolCalls: readonly ToolCall[] }>('GET', path),
  ]);
  const lines = [
    ...messages.map(({ role, message, timestamp }) => ({ at: timestamp, text: `${role}: ${message}` })),
    ...toolCalls.map(({ toolName, status, startedAt, errorMessage }) => ({
      at: startedAt,
      text: `tool: ${toolName} ${status}${errorMessage ? `: ${errorMessage}` : ''}`,
    })),
  ].toSorted((a, b) => a.at.localeCompare(b.at));
  return [headOf(session), ...lines.map(({ text }) => `    ${text}`)];
}

function headOf(session: Session): string {
  const { id, personaVersion: version, source, clientLabel, startTime, sessionLengthMs, endReason, grade } = session;
  const facts = [
    startTime,
    id,
    version === null ? null : version === 'draft' ? 'draft' : `version ${version}`,
    clientLabel ?? source,
    sessionLengthMs === null ? 'live' : `${Math.round(sessionLengthMs / 1000)} s`,
    endReason,
    grade,
  ];
  return facts.filter((fact) => fact !== null).join('  ');
}

/** Zero retention, or nothing was said. @throws other errors. */
function nothingKept<T>(nothing: T) {
  return (error: unknown): T => {
    if (error instanceof CommandError && error.status === 404) return nothing;
    throw error;
  };
}
