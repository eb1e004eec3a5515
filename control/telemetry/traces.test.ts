import { InMemorySpanExporter, SimpleSpanProcessor, type ReadableSpan } from '@opentelemetry/sdk-trace';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { traceOfTurn } from '../../engine/index.ts';
import { turn } from '../sessions/records/testing/records.ts';
import { openTraces, type Traces } from './open-traces.ts';
import { traceRequest, traceTurns } from './traces.ts';
import { stagesOf } from './turn-stages.ts';

let traces: Traces;
let exporter: InMemorySpanExporter;
beforeEach(async () => {
  exporter = new InMemorySpanExporter();
  traces = (await openTraces({}, '1.0.0', new SimpleSpanProcessor({ exporter })))!;
});
afterEach(() => traces.close());

const session = { sessionId: 's1', organizationId: 'o1', startedAt: 1_700_000_000_000, startedBy: null };
const ms = ([seconds, nanoseconds]: readonly [number, number]): number => seconds * 1000 + nanoseconds / 1e6;
const named = (name: string): ReadableSpan => exporter.getFinishedSpans().find((span) => span.name === name)!;

describe('a turn', () => {
  it('is a trace with its stages, at the time at which they were', () => {
    traceTurns(traces).turn(session, turn());
    const root = named('turn');
    expect([ms(root.startTime), ms(root.endTime)]).toEqual([1_700_000_001_000, 1_700_000_005_050]);
    const first = named('llm_first_output');
    expect([ms(first.startTime), ms(first.endTime)]).toEqual([1_700_000_002_610, 1_700_000_002_900]);
    expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual([
      ...stagesOf(turn()).map(({ name }) => name),
      'turn',
    ]);
    for (const span of exporter.getFinishedSpans().slice(0, -1))
      expect(span.parentSpanContext?.spanId).toBe(root.spanContext().spanId);
  });

  it('has the ids that its webhooks were told, and no other span has them', () => {
    traceTurns(traces).turn(session, turn({ correlationId: 'c7' }));
    expect(named('turn').spanContext()).toMatchObject(traceOfTurn('c7'));
    const spanIds = exporter.getFinishedSpans().map((span) => span.spanContext().spanId);
    expect(new Set(spanIds).size).toBe(spanIds.length);
  });

  it('links to the request that started its session', () => {
    const request = traceRequest(traces, 'POST', { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) });
    request.end('/v1/engine/session', 200);
    const server = named('POST /v1/engine/session');
    expect(server.spanContext().traceId).toBe('a'.repeat(32));
    expect(server.parentSpanContext?.spanId).toBe('b'.repeat(16));
    traceTurns(traces).turn({ ...session, startedBy: request.context }, turn());
    expect(named('turn').links[0]?.context).toMatchObject({
      traceId: 'a'.repeat(32),
      spanId: server.spanContext().spanId,
    });
  });

  it('tells nothing of what was said', () => {
    traceTurns(traces).turn(session, turn({ userText: 'my secret', personaText: 'your secret' }));
    const told = exporter.getFinishedSpans().map(({ name, attributes, events }) => ({ name, attributes, events }));
    expect(JSON.stringify(told)).not.toContain('secret');
  });

  it('without any stage leaves no trace, and a stage that ended before it began takes no time', () => {
    const nothing = turn({
      userSpeechStartedAt: null,
      userSpeechEndedAt: null,
      llmRequestedAt: null,
      synthesisStartedAt: null,
      speakingStartedAt: null,
    });
    traceTurns(traces).turn(session, nothing);
    expect(exporter.getFinishedSpans()).toEqual([]);
    const preemptive = stagesOf(turn({ userSpeechEndedAt: 3000, transcribedAt: 2600 }));
    expect(preemptive.find(({ name }) => name === 'stt_final')).toMatchObject({ from: 3000, to: 3000 });
  });
});

it('makes nothing without an endpoint', async () => {
  expect(await openTraces({}, '1.0.0')).toBeNull();
  const disabled = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_SDK_DISABLED: 'true' };
  expect(await openTraces(disabled, '1.0.0')).toBeNull();
});
