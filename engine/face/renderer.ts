import type { FaceState } from './animation/face-state.ts';
import type { SpeechTrack } from './neural/speech-track.ts';
import type { FrameTarget, Rect } from './rendering/i420.ts';

/**
 * Turns the state of a face into a frame. One renderer serves all sessions of a worker that show the same avatar in the
 * same size; each session holds a painter. Renderers run in video workers, synchronously: a painter is called 25 times
 * a second per session and shares its thread with dozens of others, so `paint` takes well under a millisecond.
 *
 * A renderer that cannot answer within that (a neural one) infers ahead of time. A painter gets the speech that will be
 * heard soon, works on it in the background, and `paint` shows the newest result that fits.
 */
export interface FaceRenderer {
  readonly width: number;
  readonly height: number;
  /**
   * @param target the frame that this painter will always draw into; its content is undefined at first.
   * @param speech what the face says, as sound: for renderers that are moved by sound.
   */
  createPainter(target: FrameTarget, speech?: SpeechTrack): FacePainter;
  close(): void;
}

export interface FacePainter {
  /**
   * Draws the state. What was drawn last is still in the target, so only changes need drawing.
   * @returns the parts outside of which the frame is exactly that of the last call; none when all of it is.
   */
  paint(state: FaceState): readonly Rect[];
  /** Called once before each `paint`, with its time, so that the painter can look ahead in the speech. */
  anticipate?(at: number): void;
  close?(): void;
}
