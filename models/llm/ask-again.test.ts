import { describe, expect, it } from 'vitest';
import { AnswerLimitError } from '../http/answer-limits.ts';
import { ProviderError, type ProviderErrorCode } from '../ports.ts';
import { helpsToAskAgain } from './ask-again.ts';

const failure = (code: ProviderErrorCode, retryAfterMs = 0) =>
  new ProviderError('m', code, 'It failed.', { retryAfterMs });

describe('asking again', () => {
  it.each(['connect', 'server', 'bad-response', 'rate-limit'] as const)('helps after %s', (code) => {
    expect(helpsToAskAgain(failure(code), false)).toBe('for an answer');
    expect(helpsToAskAgain(failure(code), true)).toBe('for the rest');
  });

  it.each(['aborted', 'auth', 'bad-request', 'unavailable'] as const)('does not help after %s', (code) => {
    expect(helpsToAskAgain(failure(code), false)).toBeNull();
    expect(helpsToAskAgain(failure(code), true)).toBeNull();
  });

  it('helps when the LLM fell silent in the middle, not when it has kept the user waiting', () => {
    expect(helpsToAskAgain(failure('timeout'), true)).toBe('for the rest');
    expect(helpsToAskAgain(failure('timeout'), false)).toBeNull();
  });

  it('does not help while a limit lasts', () => {
    expect(helpsToAskAgain(failure('rate-limit', 1_000), false)).toBe('for an answer');
    expect(helpsToAskAgain(failure('rate-limit', 20_000), false)).toBeNull();
  });

  it('does not help when an answer was too long, or the fault is ours', () => {
    const tooLong = new AnswerLimitError('too-long', 'sent too much').asProviderError('m', 'The model');
    expect(helpsToAskAgain(tooLong, true)).toBeNull();
    expect(helpsToAskAgain(new TypeError('a bug'), true)).toBeNull();
  });
});
