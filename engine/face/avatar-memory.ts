/**
 * How much memory all prepared avatars together may use (17 MB each at 720×480, 43 MB at 1152×768): about thirty faces
 * in use.
 */
export const MAX_AVATAR_BYTES = 512_000_000;

/**
 * Decides which prepared avatars stay in memory. The one that was unused for longest is dropped first, but never one
 * that a session shows.
 */
export interface AvatarMemory {
  /** @param drop releases the avatar; it can be prepared again from the disk. */
  add(key: string, bytes: number, drop: () => void): void;
  /** Somebody asked for it: it is now the last to be dropped. */
  touch(key: string): void;
  /** A session shows it, even if it is only being prepared. @returns ends that; calling it again does nothing. */
  hold(key: string): () => void;
  /** Drops it unless a session shows it. */
  letGo(key: string): void;
  /** Drops it even if a session shows it, because the avatar was deleted. */
  forget(key: string): void;
  readonly bytes: number;
}

export function createAvatarMemory(mostBytes: number): AvatarMemory {
  /** In order of last use. */
  const avatars = new Map<string, { readonly bytes: number; readonly drop: () => void }>();
  const holders = new Map<string, number>();
  let total = 0;

  function forget(key: string): void {
    const avatar = avatars.get(key);
    if (avatar === undefined) return;
    avatars.delete(key);
    total -= avatar.bytes;
    avatar.drop();
  }

  function touch(key: string): void {
    const avatar = avatars.get(key);
    if (avatar === undefined) return;
    avatars.delete(key);
    avatars.set(key, avatar);
  }

  /** The newest one always stays: it was just prepared for somebody. */
  function shrink(): void {
    const newest = [...avatars.keys()].at(-1);
    for (const key of avatars.keys()) {
      if (total <= mostBytes) return;
      if (key !== newest && !holders.has(key)) forget(key);
    }
  }

  return {
    touch,
    forget,
    letGo(key) {
      if (!holders.has(key)) forget(key);
    },
    add(key, bytes, drop) {
      avatars.set(key, { bytes, drop });
      total += bytes;
      shrink();
    },
    hold(key) {
      touch(key);
      holders.set(key, (holders.get(key) ?? 0) + 1);
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        const left = (holders.get(key) ?? 1) - 1;
        if (left > 0) holders.set(key, left);
        else holders.delete(key);
        shrink();
      };
    },
    get bytes() {
      return total;
    },
  };
}
