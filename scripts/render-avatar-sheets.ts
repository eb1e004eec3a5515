/**
 * Draws the images of the stock avatars for the documentation: docs/images/avatars/<key>.png, each with the face at
 * rest and some moments of speech and mood. Run it after a change of the drawings: node scripts/render-avatar-sheets.ts
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { createCanvas } from '@napi-rs/canvas';
import { CAST } from '../engine/face/avatars/catalogue.ts';
import { drawStill } from '../engine/face/avatars/illustrated-source.ts';
import { restingFace } from '../engine/face/animation/animator.ts';
import type { FaceState } from '../engine/face/animation/face-state.ts';
import { VISEME_POSES } from '../engine/face/animation/viseme-poses.ts';

const COLUMNS = 4;
const CELL = { width: 480, height: 320 };
const speaking = restingFace('speaking', null, 0.6);

const MOMENTS: readonly FaceState[] = [
  restingFace('idle', null, 0.6),
  { ...speaking, ...VISEME_POSES.aa },
  { ...speaking, ...VISEME_POSES.mbp },
  { ...speaking, ...VISEME_POSES.fv },
  { ...speaking, ...VISEME_POSES.oh },
  { ...speaking, ...VISEME_POSES.ou },
  { ...speaking, ...VISEME_POSES.ih, lids: 0 },
  restingFace('listening', null, 1),
  restingFace('thinking', null, 1),
  restingFace('listening', 'happy', 1),
  restingFace('listening', 'concerned', 1),
  restingFace('listening', 'surprised', 1),
];

const folder = new URL('../docs/images/avatars/', import.meta.url);
await mkdir(folder, { recursive: true });
for (const spec of CAST) {
  const sheet = createCanvas(COLUMNS * CELL.width, Math.ceil(MOMENTS.length / COLUMNS) * CELL.height);
  const ctx = sheet.getContext('2d');
  MOMENTS.forEach((state, i) => {
    const still = drawStill(spec, 1152, 768, state);
    ctx.drawImage(still, (i % COLUMNS) * CELL.width, Math.floor(i / COLUMNS) * CELL.height, CELL.width, CELL.height);
  });
  await writeFile(new URL(`${spec.engineKey}.png`, folder), await sheet.encode('png'));
  console.log(`${spec.displayName} → docs/images/avatars/${spec.engineKey}.png`);
}
