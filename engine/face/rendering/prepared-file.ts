import { FACE_PARTS, PART_ATLASES, patchBytes } from './prepared-avatar.ts';
import type { Anatomy, FacePart, PreparedAvatar } from './prepared-avatar.ts';
import { i420Bytes } from './i420.ts';
import type { Rect } from './i420.ts';

/**
 * A prepared avatar as one block of bytes, the same on disk and in the memory that all workers share: length of the
 * description (32 bits, little endian), the description as JSON, the base image, the patches of each part.
 */
interface Description {
  readonly width: number;
  readonly height: number;
  readonly anatomy: Anatomy;
  readonly rects: Readonly<Record<FacePart, Rect>>;
}

export function packAvatar(avatar: PreparedAvatar): SharedArrayBuffer {
  const description: Description = {
    width: avatar.width,
    height: avatar.height,
    anatomy: avatar.anatomy,
    rects: { brows: avatar.parts.brows.rect, eyes: avatar.parts.eyes.rect, mouth: avatar.parts.mouth.rect },
  };
  const json = new TextEncoder().encode(JSON.stringify(description));
  const chunks = [avatar.base, ...FACE_PARTS.map((part) => avatar.parts[part].patches)];
  const size = 4 + json.length + chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const shared = new SharedArrayBuffer(size);
  const bytes = new Uint8Array(shared);
  new DataView(shared).setUint32(0, json.length, true);
  bytes.set(json, 4);
  let at = 4 + json.length;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return shared;
}

/** @throws RangeError when the block is not a prepared avatar or was cut short. */
export function unpackAvatar(shared: SharedArrayBuffer): PreparedAvatar {
  const bytes = new Uint8Array(shared);
  if (bytes.length < 4) throw new RangeError('The prepared avatar is cut short.');
  const jsonLength = new DataView(shared).getUint32(0, true);
  // Text decoders refuse shared memory, so the few bytes are copied.
  const description = JSON.parse(new TextDecoder().decode(bytes.slice(4, 4 + jsonLength))) as Description;
  let at = 4 + jsonLength;
  const take = (length: number) => {
    if (at + length > bytes.length) throw new RangeError('The prepared avatar is cut short.');
    const part = bytes.subarray(at, at + length);
    at += length;
    return part;
  };
  const base = take(i420Bytes(description.width, description.height));
  const part = (name: FacePart) => {
    const rect = description.rects[name];
    return { rect, patches: take(patchBytes(rect) * PART_ATLASES[name].states.length) };
  };
  return {
    width: description.width,
    height: description.height,
    anatomy: description.anatomy,
    base,
    parts: { brows: part('brows'), eyes: part('eyes'), mouth: part('mouth') },
  };
}
