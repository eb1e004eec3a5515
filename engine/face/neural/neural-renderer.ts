import { NEUTRAL_FACE } from '../animation/face-state.ts';
import { FRAME_MS } from '../frame-rate.ts';
import type { FrameTarget, Rect } from '../rendering/i420.ts';
import { PatchRenderer } from '../rendering/patch-renderer.ts';
import { PART_ATLASES, patchBytes, type PreparedAvatar } from '../rendering/prepared-avatar.ts';
import type { FacePainter, FaceRenderer } from '../renderer.ts';
import { faceInput, faceRect, mouthPatch } from './face-crop.ts';
import { FEATURE_SAMPLES, FEATURES_BEGIN_MS, lipSyncFeatures } from './lip-sync-features.ts';
import type { LipSync } from './lip-sync.ts';
import type { SpeechTrack } from './speech-track.ts';

/** How many frames are requested ahead: as long as speech is usually known before it is heard. */
const AHEAD = 8;
/** A mouth is shown for this many frames more when the next one is late. After that, the drawn mouth is shown. */
const MAX_LATE = 2;

/**
 * Shows a prepared avatar whose mouth comes from a lip-sync model while it speaks. Head, eyes and brows are those of
 * the patch renderer; so is the mouth in silence and whenever the model is too slow. The model runs in its own thread;
 * here, pasting a mouth takes about a millisecond.
 */
export class NeuralRenderer implements FaceRenderer {
  readonly width: number;
  readonly height: number;
  readonly #patches: PatchRenderer;
  readonly #lipSync: LipSync;
  readonly #face: Rect;
  readonly #mouth: Rect;
  readonly #rest: Uint8Array;
  readonly #faceId: number;

  constructor(avatar: PreparedAvatar, lipSync: LipSync) {
    this.width = avatar.width;
    this.height = avatar.height;
    this.#patches = new PatchRenderer(avatar);
    this.#lipSync = lipSync;
    this.#face = faceRect(avatar);
    const { rect, patches } = avatar.parts.mouth;
    this.#mouth = rect;
    const rest = PART_ATLASES.mouth.pick(NEUTRAL_FACE);
    this.#rest = patches.subarray(rest * patchBytes(rect), (rest + 1) * patchBytes(rect));
    this.#faceId = lipSync.addFace(faceInput(avatar, this.#face));
  }

  createPainter(target: FrameTarget, speech?: SpeechTrack): FacePainter {
    if (speech === undefined) return this.#patches.createPainter(target);
    /** By the number of the frame: null while the model works on it. */
    const mouths = new Map<number, Uint8Array | null>();
    let showing: Uint8Array | null = null;
    let closed = false;
    const painter = this.#patches.painterWithMouth(target, () => showing);

    const ask = (frame: number): void => {
      const at = frame * FRAME_MS;
      const mel = lipSyncFeatures(speech.read(at - FEATURES_BEGIN_MS, FEATURE_SAMPLES));
      const taken = this.#lipSync.ask(this.#faceId, mel, (pixels) => {
        if (!closed) mouths.set(frame, mouthPatch(this.#rest, this.#mouth, this.#face, pixels));
      });
      if (taken) mouths.set(frame, null);
    };

    return {
      anticipate: (at) => {
        const now = Math.round(at / FRAME_MS);
        speech.forget(at);
        for (const frame of mouths.keys()) if (frame < now - MAX_LATE) mouths.delete(frame);
        for (let frame = now; frame <= now + AHEAD; frame++) {
          if (!mouths.has(frame) && speech.speaks(frame * FRAME_MS)) ask(frame);
        }
        showing = null;
        if (!speech.speaks(at)) return;
        for (let frame = now; frame >= now - MAX_LATE && showing === null; frame--) showing = mouths.get(frame) ?? null;
      },
      // The model moves the jaw by itself.
      paint: (state) => painter.paint(showing === null ? state : { ...state, mouthOpen: 0 }),
      close() {
        closed = true;
        mouths.clear();
      },
    };
  }

  close(): void {
    this.#lipSync.dropFace(this.#faceId);
    this.#patches.close();
  }
}
