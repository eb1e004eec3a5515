import type { FaceState } from '../animation/face-state.ts';
import { createVideoEncoder } from '../encode/av-encoder.ts';
import type { EncodedPicture, EncoderOptions, VideoEncoder } from '../encode/video-encoder.ts';
import { stampLabel } from '../picture/disclosure.ts';
import type { Label } from '../picture/disclosure.ts';
import type { SpeechTrack } from '../neural/speech-track.ts';
import type { FaceRenderer } from '../renderer.ts';

/** A session's own drawing place: an encoder, the painter that draws into its picture, and the label on top. */
export interface Easel {
  readonly encoder: VideoEncoder;
  /** @param at when the picture is seen, engine time. */
  show(state: FaceState, at: number, forceKeyframe: boolean): EncodedPicture;
  close(): void;
}

export function createEasel(renderer: FaceRenderer, options: EncoderOptions, label: Label | null, speech?: SpeechTrack): Easel {
  const encoder = createVideoEncoder(options);
  const painter = renderer.createPainter(encoder.picture, speech);
  return {
    encoder,
    show(state, at, forceKeyframe) {
      painter.anticipate?.(at);
      const changed = painter.paint(state) === 'changed';
      if (label !== null && changed) stampLabel(label, encoder.picture);
      return encoder.encode(forceKeyframe);
    },
    close() {
      painter.close?.();
      encoder.close();
    },
  };
}
