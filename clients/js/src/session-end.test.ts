import { describe, expect, it } from 'vitest';
import { endToldByService } from './session-end.ts';

describe('the end of a session', () => {
  it('has the reason that the service names, and its sentence', () => {
    expect(endToldByService('Die Sitzung war zu lange still.', 'user_inactivity')).toEqual({
      reason: 'user_inactivity',
      message: 'Die Sitzung war zu lange still.',
      error: null,
    });
  });

  it.each([['a_reason_of_tomorrow'], [undefined], [7], ['replaced']])('is another one with the code %s', (code) => {
    expect(endToldByService('Something new.', code).reason).toBe('other');
  });

  it('has a sentence even if the service sends none', () => {
    for (const payload of ['', null, {}]) expect(endToldByService(payload, 'end_call').message).not.toBe('');
  });
});
