import { createHash } from 'node:crypto';

/** Where a span belongs (W3C Trace Context). */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
}

const TRACEPARENT = /^[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-[\da-f]{2}/;

/**
 * The trace of one turn. It depends only on the turn, so a webhook learns it while the turn goes on, and the spans are
 * made when it is over.
 */
export function traceOfTurn(correlationId: string): TraceContext {
  const digits = createHash('sha256').update(correlationId).digest('hex');
  return { traceId: digits.slice(0, 32), spanId: digits.slice(32, 48) };
}

/** The header of that name, for a trace that is recorded. */
export function traceparentOf({ traceId, spanId }: TraceContext): string {
  return `00-${traceId}-${spanId}-01`;
}

/** @param header of a request. @returns null when there is none, or none that is valid. */
export function readTraceparent(header: string | undefined): TraceContext | null {
  const [, traceId, spanId] = TRACEPARENT.exec(header ?? '') ?? [];
  return traceId === undefined || spanId === undefined ? null : { traceId, spanId };
}
