import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHeadlessConversation } from '../bench/lib/headless-conversation.ts';
import { eventually } from '../engine/testing/eventually.ts';
import { WITHOUT_RECOGNIZER, startService, type RunningService } from './support/service.ts';

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
}

/** OTLP over HTTP, as a collector takes it (opentelemetry.io/docs/specs/otlp, "OTLP/HTTP Request", JSON). */
interface ExportedSpans {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[];
}

describe('with an OpenTelemetry collector', () => {
  const spans: Span[] = [];
  const bodies: string[] = [];
  let collector: Server;
  let service: RunningService;

  beforeAll(async () => {
    collector = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        bodies.push(body);
        const { resourceSpans } = JSON.parse(body) as ExportedSpans;
        spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    });
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
    const { port } = collector.address() as AddressInfo;
    service = await startService({
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, ...WITHOUT_RECOGNIZER },
    });
  });
  afterAll(async () => {
    await service?.stop();
    collector?.close();
  });

  it('each answer is a trace with its stages, tied to the request that started the session', async () => {
    const conversation = await openHeadlessConversation(service);
    await conversation.ask('Hello there!');
    conversation.close();
    const named = (name: string): Span[] => spans.filter((span) => span.name === name);
    await eventually(() => {
      expect(named('POST /v1/engine/session')).toHaveLength(1);
      expect(named('turn').length).toBeGreaterThanOrEqual(1);
    });
    const [request] = named('POST /v1/engine/session');
    for (const turn of named('turn'))
      expect(turn.links).toMatchObject([{ traceId: request!.traceId, spanId: request!.spanId }]);
    const stages = named('turn').map(({ spanId }) =>
      spans.filter(({ parentSpanId }) => parentSpanId === spanId).map(({ name }) => name),
    );
    expect(stages).toContainEqual(expect.arrayContaining(['llm_first_output', 'tts_first_audio', 'persona_speech']));
    expect(bodies.join('')).not.toContain('Hello there');
  });

  it('and /metrics has the stages of all turns', async () => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    expect(text).toMatch(/^parley_turn_stage_seconds_count\{stage="tts_first_audio"\} [1-9]/m);
    expect(text).toMatch(/^parley_turns_total\{result="(completed|interrupted)"\} [1-9]/m);
  });
});
