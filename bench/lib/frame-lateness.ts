import { createHistogram } from 'node:perf_hooks';
import { engineNow } from '../../runtime/clock.ts';
import type { MediaConnection, Transport } from '../../engine/ports.ts';

const EVERY_MS = { audio: 20, video: 40 };
export type FrameKind = keyof typeof EVERY_MS;

/** Ms late, and counts. */
export interface Lateness {
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
  /** Frames that were due and did not come. */
  readonly missed: number;
}

const US_PER_MS = 1_000;

/** How late frames leave the transport, and how many never came. Its memory does not grow with time. */
export class FrameLateness {
  readonly #late = { audio: createHistogram(), video: createHistogram() };
  readonly #missed: Record<FrameKind, number> = { audio: 0, video: 0 };

  /** @returns the same transport, with the measurement. */
  watch(transport: Transport): Transport {
    return {
      udpPort: transport.udpPort,
      tcpPort: transport.tcpPort,
      paths: () => transport.paths(),
      open: (sessionId, handlers, video) => this.#watched(transport.open(sessionId, handlers, video)),
      close: () => transport.close(),
    };
  }

  /** Since `restart`. */
  of(kind: FrameKind): Lateness {
    const late = this.#late[kind];
    const ms = (share: number): number => late.percentile(share) / US_PER_MS;
    return {
      count: late.count,
      p50: ms(50),
      p95: ms(95),
      p99: ms(99),
      max: late.max / US_PER_MS,
      missed: this.#missed[kind],
    };
  }

  restart(): void {
    for (const kind of ['audio', 'video'] as const) {
      this.#late[kind].reset();
      this.#missed[kind] = 0;
    }
  }

  #watched(connection: MediaConnection): MediaConnection {
    const lastAt: Partial<Record<FrameKind, number>> = {};
    const take = (kind: FrameKind, at: number): void => {
      // An early frame is not late. The histogram starts at 1.
      this.#late[kind].record(Math.max(1, Math.round((engineNow() - at) * US_PER_MS)));
      const before = lastAt[kind];
      lastAt[kind] = at;
      if (before !== undefined) this.#missed[kind] += Math.max(0, Math.round((at - before) / EVERY_MS[kind]) - 1);
    };
    return {
      acceptOffer: (sdp) => connection.acceptOffer(sdp),
      addCandidate: (candidate, sdpMid) => connection.addCandidate(candidate, sdpMid),
      get videoCodec() {
        return connection.videoCodec;
      },
      get heardAt() {
        return connection.heardAt;
      },
      sendAudio(frame) {
        connection.sendAudio(frame);
        take('audio', frame.at);
      },
      sendVideo(frame) {
        connection.sendVideo(frame);
        take('video', frame.at);
      },
      sendMessage: (text) => connection.sendMessage(text),
      state: () => connection.state(),
      revokeConsent: (sentAway) => connection.revokeConsent(sentAway),
      close: () => connection.close(),
    };
  }
}
