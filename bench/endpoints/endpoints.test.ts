import { expect, it } from 'vitest';
import { SERVERS, talkThrough } from './endpoints.ts';

/** With most of these servers, sessions answered "I'm having trouble" for the rest of the call. */
it.concurrent.each(SERVERS.map((server) => [server.name, server] as const))(
  'a conversation of ten minutes is answered whole through %s',
  async (_name, server) => {
    const { turns } = await talkThrough(server);
    expect(turns.filter(({ problem }) => problem !== null)).toEqual([]);
    expect(turns.length).toBeGreaterThan(20);
  },
);
