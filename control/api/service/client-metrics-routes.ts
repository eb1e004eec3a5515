import { z } from 'zod';
import type { App } from '../../http/app.ts';
import { HttpError } from '../../errors/http-error.ts';
import { errorBody } from '../../http/schemas.ts';
import type { RateLimits } from '../../http/rate-limits.ts';
import type { ServiceMetrics } from '../../telemetry/prometheus.ts';

/** What these routes take of the service. */
export interface ClientMetricsRoutesParts {
  readonly limits: RateLimits;
  readonly metrics: ServiceMetrics;
}

/** Names that get their own series. All others are counted together, because anybody can send anything. */
const KNOWN = new Set([
  'client_error',
  'client_connection_closed',
  'client_connection_established',
  'client_connection_milestone',
  'client_connection_milestones',
  'client_session_attempt',
  'client_session_success',
  'client_ice_restart',
  'client_input_audio_settings',
]);
/** Reports in one request. */
const MAX_BATCH_SIZE = 50;
/** Bytes of a request: such a batch has about 50 KiB, and anybody may send one, over as many connections as they like. */
const MAX_BODY_SIZE = 65_536;

/** Clients report how their connections work. No key is needed: any JSON is counted and forgotten. */
export function clientMetricsRoutes(app: App, { metrics, limits }: ClientMetricsRoutesParts): void {
  app.post(
    '/v1/metrics/client',
    {
      config: { access: 'open' },
      bodyLimit: MAX_BODY_SIZE,
      onRequest: limits.publicRoute,
      schema: {
        summary: 'Report client metrics',
        body: z.unknown().meta({ type: 'object' }).describe('One report, or `{ "metrics": [...] }` with at most 50.'),
        response: { 200: z.object({ success: z.boolean() }), 400: errorBody, 429: errorBody },
      },
    },
    async (request) => {
      for (const report of reportsIn(request.body)) {
        const name = (report as { name?: unknown } | null)?.name;
        metrics.clientReports.inc({ name: typeof name === 'string' && KNOWN.has(name) ? name : 'other' });
      }
      return { success: true };
    },
  );
}

function reportsIn(body: unknown): readonly unknown[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new HttpError('invalidBody');
  const { metrics } = body as { metrics?: unknown };
  return Array.isArray(metrics) ? metrics.slice(0, MAX_BATCH_SIZE) : [body];
}
