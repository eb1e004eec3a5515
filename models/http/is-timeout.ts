/**
 * Whether a caller's signal fired because its time was up (`AbortSignal.timeout`), rather than because it lost
 * interest.
 */
export function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}
