import type { PreparedAvatar } from '../rendering/prepared-avatar.ts';

/** JPEG: a tenth of the size of a PNG, and encoded in 7 instead of 300 ms (1152×768). Of 100. */
export const POSTER_QUALITY = 88;

/** Where avatars come from. Each kind (drawn, photographed) is one of these, found by the engine key. */
export interface AvatarSource {
  /** @returns true when the key names an avatar of this source. */
  has(engineKey: string): boolean;
  /** Changes whenever the prepared form would. Part of the cache file's name. */
  contentHash(engineKey: string): string;
  /** Draws everything. Takes seconds, reports its progress (0…1) and stays within about a tenth of a second between reports. */
  prepare(
    engineKey: string,
    width: number,
    height: number,
    progress: (share: number) => Promise<void>,
  ): Promise<PreparedAvatar>;
  /** A still image for lists, as JPEG. */
  poster(engineKey: string, width: number, height: number): Uint8Array | Promise<Uint8Array>;
  /** Where the prepared forms of this avatar are kept, when not with all others. */
  cacheFolder?(engineKey: string): string;
}
