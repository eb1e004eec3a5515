import { expect } from 'vitest';
import type { TestService } from '../../../testing/service.ts';
import { STOCK } from '../../../testing/stock.ts';

/** The requests that most tests of sessions make. `service` gives the one that runs while a test does. */
export function sessionRequests(service: () => TestService) {
  return {
    /** Saves a persona and answers its id. */
    persona: async (body: object = {}) =>
      (
        await service().send('POST', '/v1/personas', {
          avatarId: STOCK.avatar,
          voiceId: STOCK.voice,
          name: 'Host',
          ...body,
        })
      ).body.id as string,

    /** Starts a session with an API key, or with a session token in its place. */
    start: async (body: object = { personaConfig: { avatarId: STOCK.avatar } }, key = service().key) => {
      const answer = await service().send('POST', '/v1/engine/session', body, key);
      expect(answer.status, answer.text).toBe(200);
      return answer.body;
    },

    token: async (body: object) => service().send('POST', '/v1/auth/session-token', body),
  };
}
