import { apiKey } from '../state/key.ts';

/** The service answered with an error, or not at all (status 0). `message` may be shown to the user. */
export class ApiError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
  }
}

/** @param body sent as JSON, or as a form when it is one. @throws ApiError */
export async function request<T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, { method, ...contentOf(body) });
  } catch {
    throw new ApiError(0, 'The service cannot be reached.');
  }
  const answer: unknown = response.status === 204 ? null : await response.json().catch(() => null);
  if (!response.ok) throw new ApiError(response.status, errorText(response.status, answer));
  return answer as T;
}

function contentOf(body: unknown): Pick<RequestInit, 'headers' | 'body'> {
  const authorization = `Bearer ${apiKey.value ?? ''}`;
  if (body === undefined) return { headers: { authorization } };
  if (body instanceof FormData) return { headers: { authorization }, body };
  return { headers: { authorization, 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

function errorText(status: number, answer: unknown): string {
  const { message, summary, error } = (answer ?? {}) as { message?: unknown; summary?: unknown; error?: unknown };
  for (const text of [summary, message, error]) if (typeof text === 'string' && text !== '') return text;
  return `The service answered ${status}.`;
}

/** An error of any kind as a sentence. */
export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong.';
}
