import type { VisitPage } from './visit-page.ts';

/** Counters of the jitter buffer of one received voice, since its start. */
interface Counters {
  /** Whether its connection is that of a session: it has a data channel. */
  readonly session: string;
  readonly delay: number;
  readonly target: number;
  readonly emitted: number;
  readonly received: number;
  readonly concealed: number;
  readonly slowed: number;
  readonly hastened: number;
}

/** A jitter buffer in the time between two readings. */
export interface JitterBuffer {
  readonly delayMs: number;
  /** What it aims at. */
  readonly targetMs: number;
  /** Of the samples that were played, in percent: made up for packets that were late, and what was stretched or cut. */
  readonly concealed: number;
  readonly slowed: number;
  readonly hastened: number;
}

/** In a page: of each received voice of the connections. */
export const READ_JITTER_BUFFERS = `async (connections) => {
  const found = {};
  for (const [number, connection] of connections.entries()) {
    if (connection.connectionState === 'closed') continue;
    const reports = [...(await connection.getStats()).values()];
    const session = reports.filter(({ type }) => type === 'data-channel').map((r) => r.label).join();
    for (const report of reports) if (report.type === 'inbound-rtp' && report.kind === 'audio')
      found[number + ' ' + report.ssrc] = {
        session,
        delay: report.jitterBufferDelay,
        target: report.jitterBufferTargetDelay,
        emitted: report.jitterBufferEmittedCount,
        received: report.totalSamplesReceived,
        concealed: report.concealedSamples - report.silentConcealedSamples,
        slowed: report.insertedSamplesForDeceleration,
        hastened: report.removedSamplesForAcceleration,
      };
  }
  return found;
}`;

export type Reading = Readonly<Record<string, Counters>>;

/** @returns the buffers that both readings have, with those of sessions apart from those of meetings. */
export function between(before: Reading, after: Reading): { session: JitterBuffer[]; meeting: JitterBuffer[] } {
  const session: JitterBuffer[] = [];
  const meeting: JitterBuffer[] = [];
  for (const [key, now] of Object.entries(after)) {
    const then = before[key] ?? { session: '', delay: 0, target: 0, emitted: 0, received: 0, concealed: 0, slowed: 0, hastened: 0 };
    if (process.env['XDEBUG']) console.log(key, JSON.stringify(now), JSON.stringify(then));
    if (now.emitted === then?.emitted) continue;
    const mean = (name: 'delay' | 'target'): number => ((now[name] - then[name]) * 1_000) / (now.emitted - then.emitted);
    const share = (name: 'concealed' | 'slowed' | 'hastened'): number =>
      ((now[name] - then[name]) * 100) / (now.received - then.received);
    (now.session === 'session' ? session : meeting).push({
      delayMs: mean('delay'),
      targetMs: mean('target'),
      concealed: share('concealed'),
      slowed: share('slowed'),
      hastened: share('hastened'),
    });
  }
  return { session, meeting };
}

export function readVisit(page: VisitPage): Promise<Reading> {
  return page.withConnections<Reading>(READ_JITTER_BUFFERS);
}
