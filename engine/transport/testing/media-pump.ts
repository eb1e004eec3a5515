import { engineNow } from '../../clock.ts';
import type { MediaConnection } from '../../ports.ts';
import type { EncodedPicture } from './test-media.ts';

export interface MediaPump {
  /** Continue at the next keyframe of the loop. */
  keyframe(): void;
  stop(): void;
}

/** Sends sound (50 packets a second) and pictures (25) in a loop on one clock, as the voice and the face of a session do. */
export function startMediaPump(connection: Pick<MediaConnection, 'sendAudio' | 'sendVideo'>, sound: readonly Uint8Array[], pictures: readonly EncodedPicture[]): MediaPump {
  const startedAt = engineNow();
  let tick = 0;
  let picture = 0;
  const timer = setInterval(() => {
    for (; startedAt + tick * 20 <= engineNow(); tick++) {
      const at = startedAt + tick * 20;
      connection.sendAudio(sound[tick % sound.length]!, at);
      if (tick % 2 === 0) connection.sendVideo({ ...pictures[picture++ % pictures.length]!, at });
    }
  }, 5);
  return {
    keyframe() {
      while (!pictures[picture % pictures.length]!.keyframe) picture += 1;
    },
    stop: () => clearInterval(timer),
  };
}
