import type { Answer, TestService } from './service.ts';

/** Refusals quote what was sent in part, if at all: characters. */
const MAX_REFUSAL_LENGTH = 20_000;

/** @throws Error when an answer does not follow the contract, however odd the request was. */
export function expectContract(service: TestService, answer: Answer, request: string): void {
  // 502 and 503 are answers of the contract; 500 is not.
  if (answer.status >= 500 && answer.status !== 502 && answer.status !== 503)
    throw new Error(`${request}: ${answer.status}; ${service.logged.at(-1)}`);
  if (answer.status < 400) return;
  if (typeof answer.body?.error !== 'string' || typeof answer.body?.message !== 'string')
    throw new Error(`${request}: not an error body: ${answer.text}`);
  if (answer.text.length > MAX_REFUSAL_LENGTH)
    throw new Error(`${request}: a refusal of ${answer.text.length} characters`);
}
