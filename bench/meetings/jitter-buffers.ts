/** Counters of the jitter buffer of one received voice, since its start. */
interface Counters {
  /** Whether its connection is a session's, and not a meeting's. */
  readonly session: boolean;
  readonly delay: number;
  readonly target: number;
  readonly emitted: number;
  readonly received: number;
  readonly madeUp: number;
  readonly stretched: number;
  readonly cut: number;
}

/** A jitter buffer in the time between two readings. */
export interface JitterBuffer {
  readonly session: boolean;
  /** That it held sound back, ms. */
  readonly delay: number;
  /** What it aimed at, ms. */
  readonly target: number;
  /** Of what was heard, in percent: made up for packets that were late or lost, added by stretching, and cut out. */
  readonly madeUp: number;
  readonly stretched: number;
  readonly cut: number;
}

export type Reading = Readonly<Record<string, Counters>>;

/** In a page: a function that reads the counters of all voices that the given peer connections receive. */
export const READ_JITTER_BUFFERS = `async (connections) => {
  const found = {};
  for (const connection of connections) {
    const reports = [...(await connection.getStats()).values()];
    const session = reports.some(({ type, label }) => type === 'data-channel' && label === 'session');
    for (const report of reports)
      if (report.type === 'inbound-rtp' && report.kind === 'audio')
        found[report.ssrc] = {
          session,
          delay: report.jitterBufferDelay,
          target: report.jitterBufferTargetDelay,
          emitted: report.jitterBufferEmittedCount,
          received: report.totalSamplesReceived,
          madeUp: report.concealedSamples - report.silentConcealedSamples,
          stretched: report.insertedSamplesForDeceleration,
          cut: report.removedSamplesForAcceleration,
        };
  }
  return found;
}`;

const NOTHING: Omit<Counters, 'session'> = {
  delay: 0,
  target: 0,
  emitted: 0,
  received: 0,
  madeUp: 0,
  stretched: 0,
  cut: 0,
};

/** @returns the buffers that gave any sound between the two readings. */
export function buffersBetween(before: Reading, after: Reading): JitterBuffer[] {
  return Object.entries(after).flatMap(([ssrc, now]) => {
    const then = before[ssrc] ?? NOTHING;
    const [emitted, received] = [now.emitted - then.emitted, now.received - then.received];
    if (emitted === 0) return [];
    return {
      session: now.session,
      delay: ((now.delay - then.delay) * 1_000) / emitted,
      target: ((now.target - then.target) * 1_000) / emitted,
      madeUp: ((now.madeUp - then.madeUp) * 100) / received,
      stretched: ((now.stretched - then.stretched) * 100) / received,
      cut: ((now.cut - then.cut) * 100) / received,
    };
  });
}
