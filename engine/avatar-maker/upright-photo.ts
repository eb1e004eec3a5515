import { createCanvas, loadImage, type Canvas } from '@napi-rs/canvas';
import { isOnItsSide, orientationOf, uprightTransform } from './photo-orientation.ts';

/** Longer sides are scaled down: three times what the largest image shows. */
const MAX_SIDE = 2304;

/** @returns the image upright on white, or null when it cannot be decoded. */
export async function uprightPhoto(bytes: Buffer): Promise<Canvas | null> {
  const image = await loadImage(bytes).catch(() => null);
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
