import type { FaceState } from '../animation/face-state.ts';
import type { AvatarLayout, FacePart } from '../rendering/prepared-avatar.ts';

/** JPEG quality, of 100. A JPEG has a tenth of the size of a PNG, and is encoded in 7 instead of 300 ms (1152×768). */
export const POSTER_QUALITY = 88;

/** An avatar in one size, ready to be drawn piece by piece. */
export interface AvatarDrawing extends AvatarLayout {
  /** The neutral face, packed I420. Takes about as long as thirty parts. */
  base(): Uint8Array;
  /** One part of the face in one state: some milliseconds. @param out packed I420 of the part's rectangle. */
  part(name: FacePart, state: FaceState, out: Uint8Array): void;
}

/** Where avatars come from. Each kind (drawn, photographed) has one source, found by the engine key. */
export interface AvatarSource {
  /** @returns true when the key names an avatar of this source. */
  has(engineKey: string): boolean;
  /** Changes whenever the prepared form changes. Part of the cache file's name. */
  contentHash(engineKey: string): string;
  open(engineKey: string, width: number, height: number): AvatarDrawing | Promise<AvatarDrawing>;
  /** A still image for lists, as JPEG. */
  poster(engineKey: string, width: number, height: number): Uint8Array | Promise<Uint8Array>;
  /** Where the prepared forms of this avatar are kept, if not with all others. */
  cacheFolder?(engineKey: string): string;
}
