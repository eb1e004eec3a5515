import { createCanvas, loadImage, type Canvas, type Image } from '@napi-rs/canvas';
import { readImageHeader } from './image-header.ts';
import { readIsoImage } from './iso-image.ts';
import { isOnItsSide, orientationOf, uprightTransform } from './photo-orientation.ts';

/** Longer sides are scaled down: three times what the largest image shows. */
const MAX_SIDE = 2304;

/** @returns the image upright on white, or null when it cannot be decoded. */
export async function uprightPhoto(bytes: Buffer): Promise<Canvas | null> {
  const image = await decoded(bytes).catch(() => null);
  if (image === null || image.width === 0 || image.height === 0) return null;
  const scale = Math.min(1, MAX_SIDE / Math.max(image.width, image.height));
  const [width, height] = [Math.round(image.width * scale), Math.round(image.height * scale)];
  const orientation = orientationOf(bytes);
  const canvas = isOnItsSide(orientation) ? createCanvas(height, width) : createCanvas(width, height);
  const ctx = canvas.getContext('2d');
  ctx.fillStyle = 'white';
  ctx.fillRect(0, 0, canvas.width, canvas.height);
  ctx.imageSmoothingQuality = 'high';
  ctx.setTransform(...uprightTransform(orientation, width, height));
  ctx.drawImage(image, 0, 0, width, height);
  ctx.resetTransform();
  return canvas;
}

async function decoded(bytes: Buffer): Promise<Image | Canvas | null> {
  if (readImageHeader(bytes)?.format !== 'heic') return loadImage(bytes);
  // Most photos do without its decoder.
  const { decodeHeic } = await import('./decode-heic.ts');
  return decodeHeic(bytes, { isDisplayP3: readIsoImage(bytes)!.isDisplayP3, neededSide: MAX_SIDE });
}
