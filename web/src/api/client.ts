import { apiKey, endSignIn, isSignIn } from '../state/key.ts';
import type { Problem } from './problem.ts';
import { serviceUrl } from './service.ts';

/** What uses a resource. */
export interface Use {
  readonly kind: 'persona' | 'draft' | 'version' | 'tool' | 'share link' | 'widget' | 'webhook';
  readonly id: string;
  readonly name: string;
}

/** The service answered with an error, or not at all (status 0). `message` may be shown to the user. */
export class ApiError extends Error {
  readonly status: number;
  /** Which fields are wrong; empty if it is about something else. */
  readonly problems: readonly Problem[];
  /** What uses something that was to be deleted. */
  readonly usedBy: readonly Use[];
  constructor(status: number, message: string, problems: readonly Problem[] = [], usedBy: readonly Use[] = []) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.problems = problems;
    this.usedBy = usedBy;
  }
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** @param body sent as JSON, or as a form when it is one. @param key @defaultValue this browser's. @throws ApiError */
export async function request<T>(method: Method, path: string, body?: unknown, key = apiKey.value): Promise<T> {
  const response = await ask(method, path, body, key);
  return (response.status === 204 ? null : await response.json().catch(() => null)) as T;
}

/** For answers that are files. @throws ApiError */
export async function requestBytes(method: Method, path: string, body?: unknown): Promise<Blob> {
  return (await ask(method, path, body)).blob();
}

/**
 * A browser gives up what it is fetching when the machine gets or loses an address (a VPN, another Wi-Fi): the next
 * attempt is answered. Only what changes nothing is asked again.
 */
const READ_ATTEMPTS = 3;
/** Between two attempts: addresses come and go in twos and threes. */
const ATTEMPT_PAUSE_MS = 200;

async function ask(method: Method, path: string, body: unknown, key = apiKey.value): Promise<Response> {
  // A page that is left has waited with what can be undone: it is deleted all the same.
  const keepalive = method === 'DELETE';
  const response = await answerTo(serviceUrl() + path, { method, keepalive, ...contentOf(body, key) });
  if (response.ok) return response;
  if (response.status === 401 && key === apiKey.value && isSignIn(key)) endSignIn();
  throw refusal(response.status, await response.json().catch(() => null));
}

/** @throws ApiError with status 0 when nothing answers. */
async function answerTo(url: string, init: RequestInit & { readonly method: Method }): Promise<Response> {
  const attempts = init.method === 'GET' ? READ_ATTEMPTS : 1;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    if (attempt > 1) await new Promise((resolve) => setTimeout(resolve, ATTEMPT_PAUSE_MS));
    try {
      return await fetch(url, init);
    } catch {
      // Asked again, as long as there are attempts left.
    }
  }
  throw new ApiError(0, 'The service cannot be reached.');
}

/** The error of an answer that is none of 2xx. @param answer its JSON, or null. */
export function refusal(status: number, answer: unknown): ApiError {
  return new ApiError(status, errorText(status, answer), problemsOf(answer), usersOf(answer));
}

function contentOf(body: unknown, key: string | null): Pick<RequestInit, 'headers' | 'body'> {
  const authorization = `Bearer ${key ?? ''}`;
  if (body === undefined) return { headers: { authorization } };
  if (body instanceof FormData) return { headers: { authorization }, body };
  return { headers: { authorization, 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

function errorText(status: number, answer: unknown): string {
  const { message, summary, error } = (answer ?? {}) as { message?: unknown; summary?: unknown; error?: unknown };
  for (const text of [summary, message, error]) if (typeof text === 'string' && text !== '') return text;
  return `The service answered ${status}.`;
}

function problemsOf(answer: unknown): readonly Problem[] {
  const { details } = (answer ?? {}) as { details?: unknown };
  return Array.isArray(details) ? (details as readonly Problem[]) : [];
}

function usersOf(answer: unknown): readonly Use[] {
  const { usedBy } = (answer ?? {}) as { usedBy?: unknown };
  return Array.isArray(usedBy) ? (usedBy as readonly Use[]) : [];
}

/** Longest list that is read as a whole: ten pages. */
const MAX_PAGES = 10;

/** @param path of a paged list. @returns its rows from all pages, up to 1000. @throws ApiError */
export async function everyRow<T>(path: string): Promise<readonly T[]> {
  const rows: T[] = [];
  for (let page = 1, last = 1; page <= Math.min(last, MAX_PAGES); page++) {
    const { data, meta } = await request<{ data: T[]; meta: { lastPage: number } }>(
      'GET',
      `${path}?perPage=100&page=${page}`,
    );
    rows.push(...data);
    last = meta.lastPage;
  }
  return rows;
}
