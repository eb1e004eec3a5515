import { CalmHead } from '../animation/calm-head.ts';
import type { FaceState } from '../animation/face-state.ts';
import { createVideoEncoder } from '../encode/av-encoder.ts';
import type { EncodedFrame, EncoderOptions, VideoEncoder } from '../encode/video-encoder.ts';
import { stampLabel } from '../rendering/disclosure.ts';
import type { Label } from '../rendering/disclosure.ts';
import type { SpeechTrack } from '../neural/speech-track.ts';
import type { FaceRenderer } from '../renderer.ts';

/** A session's own drawing place: an encoder, the painter that draws into its frame, and the label on top. */
export interface SessionRenderer {
  readonly encoder: VideoEncoder;
  /** @param at when the frame is seen, engine time. */
  show(state: FaceState, at: number, forceKeyframe: boolean): EncodedFrame;
  close(): void;
}

export function createSessionRenderer(
  renderer: FaceRenderer,
  options: EncoderOptions,
  label: Label | null,
  speech?: SpeechTrack,
): SessionRenderer {
  const encoder = createVideoEncoder(options);
  const painter = renderer.createPainter(encoder.frame, speech);
  const head = new CalmHead();
  return {
    encoder,
    show(state, at, forceKeyframe) {
      painter.anticipate?.(at);
      const changed = painter.paint(head.hold(state, at));
      // Stamping changes nothing where the label already is, but what is painted may cover it.
      if (label !== null && changed !== null) stampLabel(label, encoder.frame);
      return encoder.encode(forceKeyframe, changed);
    },
    close() {
      painter.close?.();
      encoder.close();
    },
  };
}
