import { ALL_PATCHES, FACE_PARTS, PART_ATLASES, patchBytes } from './prepared-avatar.ts';
import type { AvatarLayout, FacePart, PreparedAvatar, PreparedPart } from './prepared-avatar.ts';
import { i420Bytes } from './i420.ts';

/**
 * A prepared avatar as one block of bytes, the same on disk and in the memory that all workers share: length of the
 * layout (32 bits, little endian), the layout as JSON, a byte for each patch that says whether it is drawn, the base
 * image, the patches of each part.
 */
const LENGTH_BYTES = 4;

/** @returns a block in which nothing is drawn: `unpackAvatar` gives the views to draw into. */
export function blankAvatar({ width, height, anatomy, rects }: AvatarLayout): SharedArrayBuffer {
  const json = new TextEncoder().encode(JSON.stringify({ width, height, anatomy, rects } satisfies AvatarLayout));
  const patches = FACE_PARTS.reduce((sum, part) => sum + patchBytes(rects[part]) * PART_ATLASES[part].states.length, 0);
  const shared = new SharedArrayBuffer(LENGTH_BYTES + json.length + ALL_PATCHES + i420Bytes(width, height) + patches);
  new DataView(shared).setUint32(0, json.length, true);
  new Uint8Array(shared).set(json, LENGTH_BYTES);
  return shared;
}

export function packAvatar(avatar: PreparedAvatar): SharedArrayBuffer {
  const { brows, eyes, mouth } = avatar.parts;
  const shared = blankAvatar({ ...avatar, rects: { brows: brows.rect, eyes: eyes.rect, mouth: mouth.rect } });
  const copy = unpackAvatar(shared);
  copy.base.set(avatar.base);
  for (const part of FACE_PARTS) {
    copy.parts[part].patches.set(avatar.parts[part].patches);
    copy.parts[part].drawn.set(avatar.parts[part].drawn);
  }
  return shared;
}

/** @returns views of the block. @throws RangeError when the block is not a prepared avatar or was cut short. */
export function unpackAvatar(shared: ArrayBufferLike): PreparedAvatar {
  const bytes = new Uint8Array(shared);
  if (bytes.length < LENGTH_BYTES) throw new RangeError('The prepared avatar is cut short.');
  let at = LENGTH_BYTES + new DataView(shared).getUint32(0, true);
  // Text decoders refuse shared memory, so the few bytes are copied.
  const { width, height, anatomy, rects } = JSON.parse(
    new TextDecoder().decode(bytes.slice(LENGTH_BYTES, at)),
  ) as AvatarLayout;
  const take = (length: number) => {
    if (at + length > bytes.length) throw new RangeError('The prepared avatar is cut short.');
    const part = bytes.subarray(at, at + length);
    at += length;
    return part;
  };
  const flags = {
    brows: take(PART_ATLASES.brows.states.length),
    eyes: take(PART_ATLASES.eyes.states.length),
    mouth: take(PART_ATLASES.mouth.states.length),
  };
  const base = take(i420Bytes(width, height));
  const part = (name: FacePart): PreparedPart => ({
    rect: rects[name],
    patches: take(patchBytes(rects[name]) * PART_ATLASES[name].states.length),
    drawn: flags[name],
  });
  return {
    width,
    height,
    anatomy,
    base,
    parts: { brows: part('brows'), eyes: part('eyes'), mouth: part('mouth') },
  };
}
