import { z } from 'zod';
import { LOAD_SHEDDING } from '../../../engine/index.ts';
import type { App } from '../../http/app.ts';
import type { EngineOnMachine } from '../../placement/engine-processes/engine-processes.ts';
import { measureReadiness, readinessOf, type ReadinessParts } from './readiness.ts';
import type { ControlPorts } from '../../ports.ts';

/** What these routes take of the service. */
export type HealthRoutesParts = ReadinessParts & {
  readonly ports: Pick<ControlPorts, 'faces'>;
};

const readiness = z.object({
  status: z.enum(['ready', 'not ready']),
  database: z.enum(['ok', 'down']),
  disk: z.enum(['ok', 'full']),
  engine: z
    .enum(['ok', 'draining', 'down'])
    .describe('`draining`: as asked, no further session is taken. Those that are live go on.'),
  faces: z.enum(['ok', 'warming']).describe('`warming`: faces are being drawn ahead of their first session.'),
  facesDrawn: z.number(),
  facesTotal: z.number(),
  activeSessions: z.number(),
  capacity: z.number().describe('Sessions that can be live at the same time, as the machine is loaded now.'),
  capacityAlone: z.number().describe('The same, if no other program needed this machine.'),
  freePlaces: z
    .number()
    .describe('How many more sessions are taken now, without the places that are kept for meetings.'),
  promise: z.enum(['kept', 'at risk']).describe('Whether sound and frames of all sessions are on time.'),
  saving: z
    .enum(LOAD_SHEDDING)
    .describe('What faces give up while the machine has too little time: see the operations guide.'),
  engines: z
    .array(
      z.object({
        number: z.number(),
        engineId: z.string(),
        pid: z.number().nullable(),
        status: z.enum(['ready', 'draining', 'starting']),
        activeSessions: z.number(),
        capacity: z.number(),
      }),
    )
    .optional()
    .describe('The engine processes of this machine, where there are several (`PARLEY_ENGINES`).'),
});
/**
 * `/healthz`: the process runs. `/readyz`: it can take a session. It can do so even while faces are still drawn, but a
 * face that is drawn for a session shows its details only some seconds later. So the answer mentions this, but the
 * service counts as ready.
 */
export function healthRoutes(app: App, control: HealthRoutesParts): void {
  const { ports } = control;
  measureReadiness(control);

  app.get(
    '/healthz',
    {
      config: { access: 'open' },
      schema: {
        summary: 'Is the process alive?',
        response: { 200: z.object({ status: z.literal('ok') }) },
      },
    },
    async () => ({ status: 'ok' as const }),
  );

  app.get(
    '/readyz',
    {
      config: { access: 'open' },
      schema: { summary: 'Can it take a session?', response: { 200: readiness, 503: readiness } },
    },
    async (_request, reply) => {
      const { ready, database, disk, engine, engines } = await readinessOf(control);
      const { activeSessions, capacity, capacityAlone, freePlaces, promise, saving } = engines;
      const faces = ports.faces.status();
      return reply.status(ready ? 200 : 503).send({
        status: ready ? 'ready' : 'not ready',
        database,
        disk,
        engine,
        faces: faces.drawing ? 'warming' : 'ok',
        facesDrawn: faces.drawn,
        facesTotal: faces.total,
        activeSessions,
        capacity,
        capacityAlone,
        freePlaces,
        promise,
        saving,
        ...(control.machine !== null && { engines: control.machine.list().map(engineProcess) }),
      });
    },
  );
}

function engineProcess({ number, engineId, pid, state }: EngineOnMachine) {
  const { ready = false, activeSessions = 0, capacity = 0 } = state?.status ?? {};
  const status: 'ready' | 'draining' | 'starting' = state === null ? 'starting' : ready ? 'ready' : 'draining';
  return { number, engineId, pid, status, activeSessions, capacity };
}
