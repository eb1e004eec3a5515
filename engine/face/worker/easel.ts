import { CalmHead } from '../animation/calm-head.ts';
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
  const head = new CalmHead();
  return {
    encoder,
    show(state, at, forceKeyframe) {
      painter.anticipate?.(at);
      const changed = painter.paint(head.hold(state, at));
      // Stamping changes nothing where the label already is, but what is painted may cover it.
      if (label !== null && changed !== null) stampLabel(label, encoder.picture);
      return encoder.encode(forceKeyframe, changed);
    },
    close() {
      painter.close?.();
      encoder.close();
    },
  };
}
