import { HalfRateHead } from '../animation/half-rate-head.ts';
import type { FaceState } from '../animation/face-state.ts';
import { createVideoEncoder } from '../encode/av-encoder.ts';
import type { EncodedFrame, EncoderOptions, VideoEncoder } from '../encode/video-encoder.ts';
import { stampLabel } from '../rendering/disclosure.ts';
import type { Label } from '../rendering/disclosure.ts';
import type { SpeechTrack } from '../neural/speech-track.ts';
import type { FaceRenderer } from '../renderer.ts';

/** Where a session draws: an encoder, the painter that draws into its frame, and the label on top. */
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
  const head = new HalfRateHead();
  return {
    encoder,
    show(state, at, forceKeyframe) {
      painter.anticipate?.(at);
      const changed = painter.paint(head.hold(state, at));
      // Copying the label again changes nothing if it is there, but the painter may have covered it.
      if (label !== null && changed.length > 0) stampLabel(label, encoder.frame);
      return encoder.encode(forceKeyframe, changed);
    },
    close() {
      painter.close?.();
      encoder.close();
    },
  };
}
