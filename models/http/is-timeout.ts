/** Whether a signal was aborted by a time limit (`AbortSignal.timeout`), and not by the caller. */
export function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}
