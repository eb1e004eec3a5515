import { describe, expect, it } from 'vitest';
import { endingOf, isFinal, problemOfAnswer, problemOfClient } from './problems.ts';

describe('what the visitor is told', () => {
  it.each([
    ['share', 404, 'Share link not found', 'linkWithdrawn'],
    ['share', 410, 'Share link expired', 'linkExpired'],
    ['share', 403, 'Origin not allowed', 'wrongSite'],
    ['share', 429, 'Usage limit reached', 'linkUsedUp'],
    ['share', 429, 'Too many requests', 'tooManyRequests'],
    ['share', 429, 'Concurrent session limit reached', 'busy'],
    ['persona', 404, 'Persona not found', 'personaUnavailable'],
    ['persona', 503, 'Persona is not available', 'personaUnavailable'],
    ['persona', 503, 'No engines available', 'busy'],
    ['persona', 500, 'Internal server error', 'unknown'],
  ] as const)('of a %s that the service refuses with %i %s', (kind, status, error, problem) => {
    expect(problemOfAnswer(kind, status, error)).toBe(problem);
  });

  it('of a session that the client cannot hold', () => {
    expect(problemOfClient({ code: 'capacity', statusCode: 429 })).toBe('busy');
    expect(problemOfClient({ code: 'usage_limit', statusCode: 429 })).toBe('linkUsedUp');
    expect(problemOfClient({ code: 'validation', statusCode: 410 })).toBe('linkExpired');
    expect(problemOfClient({ code: 'talk_stream_closed', statusCode: 0 })).toBe('unknown');
  });

  it('of the end, unless it is an ordinary one', () => {
    const end = (reason: Parameters<typeof endingOf>[0]['reason']) => endingOf({ reason, message: '', error: null });
    expect(end('share_link_withdrawn')).toBe('linkWithdrawn');
    expect(end('user_inactivity')).toBe('endedBySilence');
    expect(end('stopped')).toBeNull();
    expect(end('end_call')).toBeNull();
  });

  it('and is not asked to try again what cannot work', () => {
    expect(isFinal('linkUsedUp')).toBe(true);
    expect(isFinal('busy')).toBe(false);
  });
});
