import { setTimeout as wait } from 'node:timers/promises';
import { type Api, CommandError } from '../api.ts';

/** What is used of the objects that the hosted service's `/v1` has. Unknown fields are not taken over. */
export interface HostedTool {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly type: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly disableInterruptions?: boolean;
}
export interface HostedGroup {
  readonly id: string;
  readonly name: string;
  readonly description?: string | null;
}
export interface HostedDocument {
  readonly id: string;
  readonly filename: string;
  readonly status?: string;
}
export interface HostedLlm {
  readonly id: string;
  readonly displayName: string;
  readonly isDefault?: boolean;
  readonly [field: string]: unknown;
}
export interface HostedVoice {
  readonly id: string;
  readonly displayName: string;
}
export interface HostedAvatar {
  readonly id: string;
  readonly displayName: string;
  readonly imageUrl?: string | null;
  /** Null: one of the service's own. */
  readonly createdByOrganizationId?: string | null;
}
export interface HostedPersona {
  readonly id: string;
  readonly name: string;
  readonly isDefaultPersona?: boolean;
  readonly avatar?: HostedAvatar | null;
  readonly voice?: HostedVoice | null;
  readonly llmId?: string | null;
  readonly brain?: { readonly systemPrompt?: string | null; readonly personality?: string | null } | null;
  readonly tools?: readonly { readonly id: string; readonly name?: string }[] | null;
  readonly toolIds?: readonly string[];
  readonly [field: string]: unknown;
}

/** Longest pause that is asked for and kept, s. */
const MAX_PAUSE = 60;
const MAX_TRIES = 5;
/** Of a list: a server may say that there is always one more. */
const MAX_PAGES = 1_000;
const PAGES_PER_NOTE = 10;

/** An API that waits where it is asked to: whoever reads a whole account is asked that. */
export function patient(api: Api, note: (line: string) => void): Api {
  return {
    note,
    async send<T>(method: string, path: string, body?: unknown): Promise<T> {
      for (let tries = 1; ; tries++) {
        try {
          return await api.send<T>(method, path, body);
        } catch (error) {
          const isBusy = error instanceof CommandError && (error.status === 429 || error.status === 503);
          if (!isBusy || tries >= MAX_TRIES) throw error;
          await wait(1_000 * Math.min(MAX_PAUSE, error.retryAfter ?? 2 ** tries));
        }
      }
    },
  };
}

/** All pages of a list. Lists without pages are arrays. @throws CommandError also for one that does not end. */
export async function listAll<T>(api: Api, path: string): Promise<readonly T[]> {
  const all: T[] = [];
  for (let page = 1; ; page++) {
    if (page > MAX_PAGES) throw new CommandError(`${path} has more than ${MAX_PAGES} pages.`);
    const answer = await api.send<readonly T[] | { readonly data: readonly T[]; readonly meta?: Meta }>(
      'GET',
      `${path}${path.includes('?') ? '&' : '?'}perPage=100&page=${page}`,
    );
    if (isList(answer)) return answer;
    all.push(...answer.data);
    // Tools count their pages by another name.
    const last = answer.meta?.lastPage ?? answer.meta?.totalPages ?? 1;
    if (page >= last || answer.data.length === 0) return all;
    if (page % PAGES_PER_NOTE === 0) api.note?.(`reading  ${path}: page ${page} of ${last}`);
  }
}

interface Meta {
  readonly lastPage?: number;
  readonly totalPages?: number;
}

function isList<T>(answer: readonly T[] | object): answer is readonly T[] {
  return Array.isArray(answer);
}
