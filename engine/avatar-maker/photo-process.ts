import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createCanvas, type Canvas } from '@napi-rs/canvas';
import { answer, begun } from '../../runtime/confined-process.ts';
import { PHOTO_FACE_VERSION, PHOTO_FILES, type PhotoFace } from '../face/photo/photo-face.ts';
import { composePhoto, drawPhoto } from '../face/photo/photo-composition.ts';
import { chooseFace, judgeFace } from './judge-face.ts';
import { CROP_FILES, SHOWN_FILE } from './photo-crops.ts';
import { openFaceFinder } from './find-landmarks.ts';
import type { PhotoProblem } from './unsuitable-photo.ts';
import { uprightPhoto } from './upright-photo.ts';

/**
 * The process that looks at an uploaded image: `node photo-process.ts <folder>`. It reads `upload` and leaves the
 * upright photo, the face and the crops in the folder. What strangers send is decoded here and nowhere else: an image
 * that crashes a decoder ends this process only.
 */
interface PhotoAnswer {
  readonly problem: PhotoProblem | null;
}

/** Detection needs no more. */
const DETECTION_SIDE = 1024;
const CROP_QUALITY = 90;

async function lookAt(folder: string): Promise<PhotoProblem | null> {
  const upload = await readFile(join(folder, PHOTO_FILES.upload));
  const finder = await openFaceFinder();
  begun();
  const photo = await uprightPhoto(upload);
  if (photo === null) return 'unreadable';
  const shrink = Math.min(1, DETECTION_SIDE / Math.max(photo.width, photo.height));
  const chosen = chooseFace(await finder.faces(shrink === 1 ? photo : scaled(photo, shrink)));
  if (typeof chosen === 'string') return chosen;
  const box = {
    x: chosen.box.x / shrink,
    y: chosen.box.y / shrink,
    width: chosen.box.width / shrink,
    height: chosen.box.height / shrink,
  };
  const landmarks = await finder.landmarks(photo, box);
  const problem = judgeFace(landmarks, photo.width, photo.height);
  if (problem !== null) return problem;
  const face: PhotoFace = { version: PHOTO_FACE_VERSION, width: photo.width, height: photo.height, landmarks };
  for (const { file, width, height } of Object.values(CROP_FILES)) {
    const canvas = createCanvas(width, height);
    drawPhoto(canvas.getContext('2d'), photo, composePhoto(face, width, height));
    await writeFile(join(folder, file), canvas.toBuffer('image/jpeg', CROP_QUALITY));
  }
  await writeFile(join(folder, SHOWN_FILE), photo.toBuffer('image/jpeg', CROP_QUALITY));
  await writeFile(join(folder, PHOTO_FILES.photo), photo.toBuffer('image/png'));
  await writeFile(join(folder, PHOTO_FILES.face), JSON.stringify(face));
  return null;
}

function scaled(image: Canvas, scale: number): Canvas {
  const canvas = createCanvas(Math.round(image.width * scale), Math.round(image.height * scale));
  const ctx = canvas.getContext('2d');
  ctx.imageSmoothingQuality = 'high';
  ctx.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}

const folder = process.argv[2];
if (folder === undefined) throw new Error('usage: photo-process.ts <folder>');
answer({ problem: await lookAt(folder) } satisfies PhotoAnswer);
process.exit(0);
