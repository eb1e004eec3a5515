import { isReceived, type PacketResult } from './packet-result.ts';

/** Packets that leave within this time leave at once. */
const BURST_MS = 3;
/** Two packets whose second one is smaller say little: clocks tell quarters of a ms, and a receiver reads late. */
const MIN_BURST_BYTES = 400;

/**
 * At which rate packets came out, bits per second, that had left at once: what the narrowest link on the way carries.
 * Pure.
 * @param results in the order in which they were sent. @returns the lowest of all bursts; infinite where none tells.
 */
export function lowestBurstRate(results: readonly PacketResult[]): number {
  return Math.min(...burstsOf(results).map(burstRate));
}

function burstsOf(results: readonly PacketResult[]): PacketResult[][] {
  const bursts: PacketResult[][] = [];
  for (const result of results) {
    const current = bursts.at(-1);
    if (current !== undefined && result.sentAt - current[0]!.sentAt < BURST_MS) current.push(result);
    else bursts.push([result]);
  }
  return bursts;
}

/**
 * The first packet that arrived only starts the clock. What was lost in between was carried, too, as far as anybody can
 * tell.
 */
function burstRate(burst: readonly PacketResult[]): number {
  const first = burst.findIndex(isReceived);
  const last = burst.findLastIndex(isReceived);
  const bytes = burst.slice(first + 1, last + 1).reduce((sum, result) => sum + result.bytes, 0);
  const ms = (burst[last]?.receivedAt ?? 0) - (burst[first]?.receivedAt ?? 0);
  return bytes < MIN_BURST_BYTES || ms <= 0 ? Number.POSITIVE_INFINITY : (bytes * 8_000) / ms;
}
