import { isReceived, type Outcome } from './outcome.ts';

/** Packets that leave within this time leave at once. */
const BURST_MS = 3;
/** Two packets whose second one is smaller say little: clocks tell quarters of a ms, and a receiver reads late. */
const MIN_BURST_BYTES = 400;

/**
 * At which rate packets came out, bits per second, that had left at once: what the narrowest link on the way carries. Pure.
 * @param outcomes in the order in which they were sent. @returns the lowest of all bursts; infinite where none tells.
 */
export function lowestBurstRate(outcomes: readonly Outcome[]): number {
  return Math.min(...burstsOf(outcomes).map(burstRate));
}

function burstsOf(outcomes: readonly Outcome[]): Outcome[][] {
  const bursts: Outcome[][] = [];
  for (const outcome of outcomes) {
    const current = bursts.at(-1);
    if (current !== undefined && outcome.sentAt - current[0]!.sentAt < BURST_MS) current.push(outcome);
    else bursts.push([outcome]);
  }
  return bursts;
}

/** The first packet that arrived only starts the clock. What was lost in between was carried, too, as far as anybody can tell. */
function burstRate(burst: readonly Outcome[]): number {
  const first = burst.findIndex(isReceived);
  const last = burst.findLastIndex(isReceived);
  const bytes = burst.slice(first + 1, last + 1).reduce((sum, outcome) => sum + outcome.bytes, 0);
  const ms = (burst[last]?.receivedAt ?? 0) - (burst[first]?.receivedAt ?? 0);
  return bytes < MIN_BURST_BYTES || ms <= 0 ? Number.POSITIVE_INFINITY : (bytes * 8_000) / ms;
}
