import type { FaceState } from './animation/face-state.ts';
import type { SpeechTrack } from './neural/speech-track.ts';
import type { FrameTarget, Rect } from './rendering/i420.ts';

/**
 * Turns the state of a face into a frame. One renderer serves all sessions of a worker that show the same avatar in
 * the same size; each session holds a painter. Renderers run in video workers, synchronously: a painter is called 25
 * times a second per session and shares its thread with dozens of others, so `paint` takes well under a millisecond.
 *
 * A renderer that cannot answer within that (a neural one) infers ahead of time: a painter is given the
 * speech that will be heard soon, it works on that in the background, and `paint` shows the newest result that fits.
 */
export interface FaceRenderer {
  readonly width: number;
  readonly height: number;
  /**
   * @param target the frame that this painter will always draw into; its content is undefined at first.
   * @param speech what the face says, as sound: for renderers that move by it.
   */
  createPainter(target: FrameTarget, speech?: SpeechTrack): FacePainter;
  close(): void;
}

export interface FacePainter {
  /**
   * Draws the state. What was drawn last is still in the target, so only changes need drawing.
   * @returns the part outside of which the frame is exactly that of the last call; null when all of it is.
   */
  paint(state: FaceState): Rect | null;
  /** The next call of `paint` is for `at`: time to look ahead in the speech. Called once before each. */
  anticipate?(at: number): void;
  close?(): void;
}
