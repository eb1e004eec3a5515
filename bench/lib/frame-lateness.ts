import { engineNow } from '../../engine/clock.ts';
import type { MediaConnection, Transport } from '../../engine/ports.ts';

const EVERY_MS = { audio: 20, video: 40 };
type Kind = keyof typeof EVERY_MS;

/** How late frames are when the transport has sent them, and how many never came. */
export class FrameLateness {
  readonly #late: Record<Kind, number[]> = { audio: [], video: [] };
  readonly #missed: Record<Kind, number> = { audio: 0, video: 0 };

  /** @returns the same transport, watched. */
  watch(transport: Transport): Transport {
    return {
      udpPort: transport.udpPort,
      open: (sessionId, handlers) => this.#watched(transport.open(sessionId, handlers)),
      close: () => transport.close(),
    };
  }

  /** Since `restart`. @returns ms late of each frame, and the number of frames that the time had room for and that did not come. */
  of(kind: Kind): { late: readonly number[]; missed: number } {
    return { late: [...this.#late[kind]], missed: this.#missed[kind] };
  }

  restart(): void {
    this.#late.audio.length = 0;
    this.#late.video.length = 0;
    this.#missed.audio = 0;
    this.#missed.video = 0;
  }

  #watched(connection: MediaConnection): MediaConnection {
    const lastAt: Partial<Record<Kind, number>> = {};
    const take = (kind: Kind, at: number): void => {
      // A frame may leave ahead of its time; that is not late.
      this.#late[kind].push(Math.max(0, engineNow() - at));
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
      sendAudio(opus, at) {
        connection.sendAudio(opus, at);
        take('audio', at);
      },
      sendVideo(frame) {
        connection.sendVideo(frame);
        take('video', frame.at);
      },
      sendMessage: (text) => connection.sendMessage(text),
      close: () => connection.close(),
    };
  }
}
