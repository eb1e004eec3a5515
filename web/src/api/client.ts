import { apiKey } from '../state/key.ts';

/** The service answered with an error, or not at all (status 0). `message` is fit to show. */
export class ApiError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
  }
}

/** @throws ApiError */
export async function request<T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<T> {
  let response: Response;
  try {
    const headers = { authorization: `Bearer ${apiKey.value ?? ''}` };
    response = await fetch(path, body === undefined ? { method, headers } : { method, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) });
  } catch {
    throw new ApiError(0, 'The service cannot be reached.');
  }
  const answer: unknown = response.status === 204 ? null : await response.json().catch(() => null);
  if (!response.ok) throw new ApiError(response.status, errorText(response.status, answer));
  return answer as T;
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
