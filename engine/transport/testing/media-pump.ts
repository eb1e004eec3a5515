import { engineNow } from '../../../runtime/clock.ts';
import type { MediaConnection } from '../../ports.ts';
import type { EncodedFrame } from './test-media.ts';

export interface MediaPump {
  /** Continue at the next keyframe of the loop. */
  keyframe(): void;
  stop(): void;
}

/**
 * Sends sound (50 packets a second) and frames (25) in a loop on one clock, as the voice and the face of a session do.
 */
export function startMediaPump(
  connection: Pick<MediaConnection, 'sendAudio' | 'sendVideo'>,
  audio: readonly Uint8Array[],
  frames: readonly EncodedFrame[],
): MediaPump {
  const startedAt = engineNow();
  let tick = 0;
  let frame = 0;
  const timer = setInterval(() => {
    for (; startedAt + tick * 20 <= engineNow(); tick++) {
      const at = startedAt + tick * 20;
      connection.sendAudio({ data: audio[tick % audio.length]!, at });
      if (tick % 2 === 0) connection.sendVideo({ ...frames[frame++ % frames.length]!, at });
    }
  }, 5);
  return {
    keyframe() {
      while (!frames[frame % frames.length]!.keyframe) frame += 1;
    },
    stop: () => clearInterval(timer),
  };
}
