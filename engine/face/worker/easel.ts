import type { FaceState } from '../animation/face-state.ts';
import { createVideoEncoder } from '../encode/av-encoder.ts';
import type { EncodedPicture, EncoderOptions, VideoEncoder } from '../encode/video-encoder.ts';
import { stampLabel } from '../picture/disclosure.ts';
import type { Label } from '../picture/disclosure.ts';
import type { FaceRenderer } from '../renderer.ts';

/** A session's own drawing place: an encoder, the painter that draws into its picture, and the label on top. */
export interface Easel {
  readonly encoder: VideoEncoder;
  show(state: FaceState, forceKeyframe: boolean): EncodedPicture;
  close(): void;
}

export function createEasel(renderer: FaceRenderer, options: EncoderOptions, label: Label | null): Easel {
  const encoder = createVideoEncoder(options);
  const painter = renderer.createPainter(encoder.picture);
  return {
    encoder,
    show(state, forceKeyframe) {
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
