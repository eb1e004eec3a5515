import type { SpanProcessor } from '@opentelemetry/sdk-trace';
import type { NextIds, TraceTools } from './traces.ts';

export interface Traces extends TraceTools {
  /** Sends what waits. It takes at most a few seconds. */
  close(): Promise<void>;
}

/** The last spans are not worth a longer stop. */
const FLUSH_MS = 2_000;

/**
 * Sends spans to a collector (OTLP over HTTP). The endpoint, its headers and the share of traces are in the standard
 * variables (`OTEL_EXPORTER_OTLP_ENDPOINT`, `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_SERVICE_NAME`, …), which the exporter
 * reads itself. Its packages take 0.2 s to load, so they are loaded only for this.
 * @param processor takes the spans instead of the exporter: in tests.
 * @returns null without an endpoint.
 */
export async function openTraces(
  environment: Readonly<Record<string, string | undefined>>,
  version: string,
  processor?: SpanProcessor,
): Promise<Traces | null> {
  const isWanted =
    environment['OTEL_EXPORTER_OTLP_ENDPOINT'] !== undefined ||
    environment['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] !== undefined;
  if (processor === undefined && (!isWanted || environment['OTEL_SDK_DISABLED'] === 'true')) return null;
  const [api, sdk, { OTLPTraceExporter }, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const ids: NextIds = { next: null };
  const random = new sdk.RandomIdGenerator();
  const provider = new sdk.TracerProvider({
    resource: resources.resourceFromAttributes({
      'service.name': environment['OTEL_SERVICE_NAME'] ?? 'parley',
      'service.version': version,
    }),
    idGenerator: {
      generateTraceId: () => ids.next?.traceId ?? random.generateTraceId(),
      generateSpanId: () => ids.next?.spanId ?? random.generateSpanId(),
    },
    spanProcessors: [processor ?? new sdk.BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  return {
    api,
    ids,
    tracer: provider.getTracer('parley', version),
    async close() {
      await provider.forceFlush({ timeoutMillis: FLUSH_MS }).catch(() => {});
      await provider.shutdown().catch(() => {});
    },
  };
}
