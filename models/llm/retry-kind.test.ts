import { describe, expect, it } from 'vitest';
import { AnswerLimitError } from '../http/answer-limits.ts';
import { ProviderError, type ProviderErrorCode } from '../ports.ts';
import { retryKind } from './retry-kind.ts';

const failure = (code: ProviderErrorCode, retryAfterMs = 0) =>
  new ProviderError('m', code, 'It failed.', { retryAfterMs });

describe('asking again', () => {
  it.each(['connect', 'server', 'bad-response', 'rate-limit'] as const)('helps after %s', (code) => {
    expect(retryKind(failure(code), false)).toBe('for an answer');
    expect(retryKind(failure(code), true)).toBe('for the rest');
  });

  it.each(['aborted', 'auth', 'bad-request', 'unavailable'] as const)('does not help after %s', (code) => {
    expect(retryKind(failure(code), false)).toBeNull();
    expect(retryKind(failure(code), true)).toBeNull();
  });

  it('helps when the LLM fell silent in the middle, not when it has kept the user waiting', () => {
    expect(retryKind(failure('timeout'), true)).toBe('for the rest');
    expect(retryKind(failure('timeout'), false)).toBeNull();
  });

  it('does not help while a limit lasts', () => {
    expect(retryKind(failure('rate-limit', 1_000), false)).toBe('for an answer');
    expect(retryKind(failure('rate-limit', 20_000), false)).toBeNull();
  });

  it('does not help when an answer was too long, or the fault is ours', () => {
    const tooLong = new AnswerLimitError('too-long', 'sent too much').asProviderError('m', 'The model');
    expect(retryKind(tooLong, true)).toBeNull();
    expect(retryKind(new TypeError('a bug'), true)).toBeNull();
  });
});
