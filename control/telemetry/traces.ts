import type * as OpenTelemetry from '@opentelemetry/api';
import type { Attributes, Link, Span, Tracer } from '@opentelemetry/api';
import type { TurnRecord } from '../../actors/report.ts';
import { traceOfTurn, type TraceContext } from '../../engine/index.ts';
import type { ListenedSession, SessionListener } from '../sessions/records/session-store.ts';
import { stagesOf } from './turn-stages.ts';

/** Ids of the next span, or null: random ones. Spans are made one after the other, so one place is enough. */
export interface NextIds {
  next: TraceContext | null;
}

/** What the traces are made with: see `openTraces`. */
export interface TraceTools {
  readonly api: typeof OpenTelemetry;
  readonly tracer: Tracer;
  readonly ids: NextIds;
}

/**
 * One trace for each turn, made when the turn is over: its stages are spans below it. It links to the request that
 * started the session. It has the ids that webhooks of the turn were told. No words of a conversation go into it.
 */
export function traceTurns({ api, tracer, ids }: TraceTools): SessionListener {
  return {
    turn(session, turn) {
      const stages = stagesOf(turn);
      const from = Math.min(...stages.map((stage) => stage.from));
      const to = Math.max(...stages.map((stage) => stage.to));
      if (stages.length === 0) return;
      const wall = (at: number): number => session.startedAt + at;
      ids.next = traceOfTurn(turn.correlationId);
      const root = tracer.startSpan('turn', {
        root: true,
        startTime: wall(from),
        attributes: attributesOf(session, turn),
        links: linksTo(session.startedBy),
      });
      ids.next = null;
      const inside = api.trace.setSpan(api.ROOT_CONTEXT, root);
      for (const stage of stages)
        tracer.startSpan(stage.name, { startTime: wall(stage.from) }, inside).end(wall(stage.to));
      if (turn.interruptedStage !== null) root.addEvent('interrupted', { stage: turn.interruptedStage }, wall(to));
      root.end(wall(to));
    },
    ended() {},
  };
}

function attributesOf({ sessionId, organizationId }: ListenedSession, turn: TurnRecord): Attributes {
  const { stt = [], llm = [], tts = [] } = turn.providers ?? {};
  return {
    'session.id': sessionId,
    'parley.organization.id': organizationId,
    'parley.turn.index': turn.turnIndex,
    'parley.turn.correlation_id': turn.correlationId,
    'parley.turn.result': turn.finishReason ?? 'unanswered',
    'parley.stt.providers': [...stt],
    'parley.llm.providers': [...llm],
    'parley.tts.providers': [...tts],
  };
}

function linksTo(context: TraceContext | null): Link[] {
  return context === null ? [] : [{ context: { ...context, traceFlags: 1, isRemote: true } }];
}

/** A request to the API, from its arrival to its answer. */
export interface RequestTrace {
  readonly context: TraceContext;
  /** @param route its pattern, never the address itself. */
  end(route: string, status: number): void;
}

/** @param parent what the caller says that it belongs to. */
export function traceRequest({ api, tracer }: TraceTools, method: string, parent: TraceContext | null): RequestTrace {
  const around =
    parent === null
      ? api.ROOT_CONTEXT
      : api.trace.setSpanContext(api.ROOT_CONTEXT, { ...parent, traceFlags: 1, isRemote: true });
  const span: Span = tracer.startSpan(
    method,
    { kind: api.SpanKind.SERVER, attributes: { 'http.request.method': method } },
    around,
  );
  const { traceId, spanId } = span.spanContext();
  return {
    context: { traceId, spanId },
    end(route, status) {
      span.updateName(`${method} ${route}`);
      span.setAttributes({ 'http.route': route, 'http.response.status_code': status });
      if (status >= 500) span.setStatus({ code: api.SpanStatusCode.ERROR });
      span.end();
    },
  };
}
