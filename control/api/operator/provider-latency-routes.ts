import { isoTime } from '../../../actors/kernel/iso-time.ts';
import type { App } from '../../http/app.ts';
import { errorAnswers } from '../../http/schemas.ts';
import { providerLatencies } from './provider-latency-schema.ts';
import type { ControlPorts } from '../../ports.ts';

/** What these routes take of the service. */
export interface ProviderLatencyRoutesParts {
  readonly ports: Pick<ControlPorts, 'latencies'>;
}

/** How soon STT, LLMs, TTS and embeddings answered lately. */
export function providerLatencyRoutes(app: App, { ports }: ProviderLatencyRoutesParts): void {
  app.get(
    '/v1/provider-latencies',
    {
      schema: {
        summary: 'How soon providers answer',
        description:
          'Times to the first result of each provider in use, over all sessions of this process. `/metrics` has them as histograms.',
        response: { 200: providerLatencies, ...errorAnswers() },
      },
    },
    async () => ({
      data: ports.latencies.rows().map(({ lastFailure, ...row }) => ({
        ...row,
        lastFailure: lastFailure === null ? null : { code: lastFailure.code, at: isoTime(lastFailure.at) },
      })),
    }),
  );
}
