import { z } from 'zod';
import type { App, Control } from '../context.ts';

/** `/healthz`: the process runs. `/readyz`: it can take a session. */
export function healthRoutes(app: App, { store, engine }: Control): void {
  app.get(
    '/healthz',
    {
      config: { access: 'open' },
      schema: {
        tags: ['Service'],
        summary: 'Is the process alive?',
        response: { 200: z.object({ status: z.literal('ok') }) },
      },
    },
    async () => ({ status: 'ok' as const }),
  );

  const readiness = z.object({
    status: z.enum(['ready', 'not ready']),
    database: z.enum(['ok', 'down']),
    engine: z.enum(['ok', 'down']),
    activeSessions: z.number(),
    capacity: z.number(),
  });
  app.get(
    '/readyz',
    {
      config: { access: 'open' },
      schema: { tags: ['Service'], summary: 'Can it take a session?', response: { 200: readiness, 503: readiness } },
    },
    async (_request, reply) => {
      const database = await store.ping().then(
        () => 'ok' as const,
        () => 'down' as const,
      );
      const { ready, activeSessions, capacity } = engine.status();
      const ok = database === 'ok' && ready;
      return reply.status(ok ? 200 : 503).send({
        status: ok ? 'ready' : 'not ready',
        database,
        engine: ready ? 'ok' : 'down',
        activeSessions,
        capacity,
      });
    },
  );
}
