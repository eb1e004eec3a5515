import type { FaceState } from './animation/face-state.ts';
import type { PictureTarget } from './picture/i420.ts';

/**
 * Turns the state of a face into a picture. One renderer serves all sessions of a worker that show the same avatar in
 * the same size; each session holds a painter. Renderers run in video workers, synchronously: a painter is called 25
 * times a second per session and shares its thread with dozens of others, so `paint` takes well under a millisecond.
 *
 * A renderer that cannot answer within that (a neural one) infers ahead of time: `anticipate` tells each painter what
 * will be shown soon, it works on that in the background, and `paint` shows the newest result that fits.
 */
export interface FaceRenderer {
  readonly width: number;
  readonly height: number;
  /** @param target the picture that this painter will always draw into; its content is undefined at first. */
  createPainter(target: PictureTarget): FacePainter;
  close(): void;
}

export interface FacePainter {
  /**
   * Draws the state. What was drawn last is still in the target, so only changes need drawing.
   * @returns 'same' when the picture is exactly that of the last call.
   */
  paint(state: FaceState): 'same' | 'changed';
  /** What will be shown from `at` on, one state per frame, when the mouth is known ahead. Called at most once a frame. */
  anticipate?(states: readonly FaceState[], at: number): void;
  close?(): void;
}
