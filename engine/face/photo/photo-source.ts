import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import type { FaceState } from '../animation/face-state.ts';
import { NEUTRAL_FACE } from '../animation/face-state.ts';
import { i420Bytes, rgbaToI420, type Rect } from '../rendering/i420.ts';
import { FACE_PARTS, type FacePart } from '../rendering/prepared-avatar.ts';
import { POSTER_QUALITY, type AvatarDrawing, type AvatarSource } from '../prepare/avatar-source.ts';
import { faceGeometry } from './face-geometry.ts';
import { composePhoto, drawPhoto, landmarksInImage } from './photo-composition.ts';
import { isPhotoKey, parsePhotoFace, PHOTO_FILES, type PhotoFace } from './photo-face.ts';
import type { Raster } from './raster.ts';
import { createBrowsWarp } from './warp-brows.ts';
import { createEyesWarp } from './warp-eyes.ts';
import { createMouthWarp } from './warp-mouth.ts';

/** Avatars made from photos. @param folder one subfolder per avatar, named like its engine key. */
export function createPhotoSource(folder: string): AvatarSource {
  const version = warpingVersion();
  const fileOf = (engineKey: string, file: string) => join(folder, engineKey, file);
  const faceOf = (engineKey: string) => parsePhotoFace(readFileSync(fileOf(engineKey, PHOTO_FILES.face), 'utf8'));
  const drawingOf = (engineKey: string, width: number, height: number) =>
    drawPhotoFace(faceOf(engineKey), readFileSync(fileOf(engineKey, PHOTO_FILES.photo)), width, height);

  return {
    has: (engineKey) => isPhotoKey(engineKey) && existsSync(fileOf(engineKey, PHOTO_FILES.face)),
    contentHash: (engineKey) =>
      createHash('sha256')
        .update(version)
        .update(readFileSync(fileOf(engineKey, PHOTO_FILES.face)))
        .digest('hex')
        .slice(0, 24),
    cacheFolder: (engineKey) => fileOf(engineKey, PHOTO_FILES.prepared),
    open: async (engineKey, width, height) => openDrawing(await drawingOf(engineKey, width, height)),
    async poster(engineKey, width, height) {
      const drawing = await drawingOf(engineKey, width, height);
      const canvas = createCanvas(width, height);
      const still = drawing.still(NEUTRAL_FACE);
      const image = canvas.getContext('2d').createImageData(width, height);
      image.data.set(still.data);
      canvas.getContext('2d').putImageData(image, 0, 0);
      return canvas.toBuffer('image/jpeg', POSTER_QUALITY);
    },
  };
}

/** Changes with the code. So a new version never shows images that an old one has cached. */
function warpingVersion(): string {
  const hash = createHash('sha256');
  for (const folder of ['.', '../rendering']) {
    const at = new URL(`${folder}/`, import.meta.url);
    for (const name of readdirSync(at)
      .filter((n) => n.endsWith('.ts') && !n.endsWith('.test.ts'))
      .toSorted())
      hash.update(readFileSync(new URL(name, at)));
  }
  return hash.digest('hex');
}

/** A photographed face in an image of one size, ready to be drawn in any state. */
export interface PhotoDrawing {
  readonly width: number;
  readonly height: number;
  readonly geometry: ReturnType<typeof faceGeometry>;
  readonly image: Raster;
  part(name: FacePart, state: FaceState): Raster;
  still(state: FaceState): Raster;
}

export async function drawPhotoFace(
  face: PhotoFace,
  photo: Buffer,
  width: number,
  height: number,
): Promise<PhotoDrawing> {
  const composition = composePhoto(face, width, height);
  const canvas = createCanvas(width, height);
  drawPhoto(canvas.getContext('2d'), await loadImage(photo), composition);
  const image: Raster = { width, height, data: canvas.getContext('2d').getImageData(0, 0, width, height).data };
  const geometry = faceGeometry(landmarksInImage(composition, face.landmarks), width, height);
  const parts = {
    brows: createBrowsWarp(image, geometry),
    eyes: createEyesWarp(image, geometry),
    mouth: createMouthWarp(image, geometry),
  };
  const part = (name: FacePart, state: FaceState) => parts[name].draw(state);
  return {
    width,
    height,
    geometry,
    image,
    part,
    still(state) {
      const data = Uint8ClampedArray.from(image.data);
      for (const name of FACE_PARTS) pasteRaster(part(name, state), geometry.rects[name], data, width);
      return { width, height, data };
    },
  };
}

function pasteRaster(from: Raster, rect: Rect, to: Uint8ClampedArray, stride: number): void {
  for (let row = 0; row < rect.height; row++)
    to.set(
      from.data.subarray(row * rect.width * 4, (row + 1) * rect.width * 4),
      ((rect.y + row) * stride + rect.x) * 4,
    );
}

function openDrawing({ width, height, geometry, part, still }: PhotoDrawing): AvatarDrawing {
  const { anatomy, rects } = geometry;
  return {
    width,
    height,
    anatomy,
    rects,
    base() {
      const out = new Uint8Array(i420Bytes(width, height));
      rgbaToI420(still(NEUTRAL_FACE).data, width, height, out);
      return out;
    },
    part: (name, state, out) => rgbaToI420(part(name, state).data, rects[name].width, rects[name].height, out),
  };
}
