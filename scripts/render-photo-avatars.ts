/**
 * Shows what becomes of a photo, for the documentation: docs/images/avatars/photo-<name>.png with moments of speech and
 * mood, and photo-<name>.mp4 in which it speaks, labeled as made by AI. Run it after a change of the warping:
 * node scripts/render-photo-avatars.ts
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCanvas } from '@napi-rs/canvas';
import { createAvatarMaker } from '../engine/avatar-maker/index.ts';
import { createAvatarVideos } from '../engine/avatar-video/index.ts';
import { systemTimers } from '../runtime/clock.ts';
import { restingFace } from '../engine/face/animation/animator.ts';
import { NEUTRAL_FACE, type FaceState } from '../engine/face/animation/face-state.ts';
import { VISEME_POSES } from '../engine/face/animation/viseme-poses.ts';
import { createFace } from '../engine/face/index.ts';
import { parsePhotoFace } from '../engine/face/photo/photo-face.ts';
import { drawPhotoFace } from '../engine/face/photo/photo-source.ts';
import { createOfflineSynthesizer } from '../models/tts/offline.ts';

const NAMES = ['grace-hopper', 'eileen-collins'] as const;
/** Closed lips, lips on teeth, rounded lips, and a sentence. */
const SCRIPT = 'Mama, five, you, oh. This face was one photograph.';
const COLUMNS = 5;
const CELL = { width: 360, height: 240 };
const TALL = { width: 360, height: 540 };

const MOMENTS: readonly FaceState[] = [
  NEUTRAL_FACE,
  { ...NEUTRAL_FACE, ...VISEME_POSES.aa },
  { ...NEUTRAL_FACE, ...VISEME_POSES.oh },
  { ...NEUTRAL_FACE, ...VISEME_POSES.mbp },
  { ...NEUTRAL_FACE, ...VISEME_POSES.fv },
  { ...NEUTRAL_FACE, lids: 0 },
  restingFace('listening', 'happy', 1),
  restingFace('listening', 'concerned', 1),
  restingFace('listening', 'surprised', 1),
  { ...NEUTRAL_FACE, ...VISEME_POSES.sz, gazeX: 0.6 },
];

const portraits = new URL('../e2e/fixtures/portraits/', import.meta.url);
const images = new URL('../docs/images/avatars/', import.meta.url);
const log = { info() {}, warn: console.warn, error: console.error, debug() {} } as never;
const folder = await mkdtemp(join(tmpdir(), 'parley-photos-'));
const maker = createAvatarMaker({ folder, log });
const face = createFace({ workers: 1, cacheDir: join(folder, 'cache'), photosDir: folder, log });
const synthesizer = createOfflineSynthesizer();
const videos = createAvatarVideos({ face, synthesizers: { LOCAL: synthesizer }, timers: systemTimers });
const signal = AbortSignal.timeout(300_000);
await mkdir(images, { recursive: true });
try {
  for (const name of NAMES) {
    const { engineKey } = await maker.make({
      avatarId: name,
      image: { bytes: await readFile(new URL(`${name}.jpg`, portraits)) },
      signal,
    });
    await writeFile(new URL(`photo-${name}.png`, images), await drawSheet(join(folder, engineKey)));
    const path = fileURLToPath(new URL(`photo-${name}.mp4`, images));
    const video = await videos.render({
      script: SCRIPT,
      engineKey,
      width: 720,
      height: 480,
      provider: 'LOCAL',
      providerVoiceId: 'slt',
      language: 'en',
      tuning: {},
      disclosure: true,
      acts: true,
      expressivity: null,
      baselineStyle: null,
      path,
      signal,
    });
    console.log(
      `${name} → docs/images/avatars/photo-${name}.png, .mp4 (${(video.durationMs / 1000).toFixed(1)} s, ${Math.round(video.bytes / 1000)} kB)`,
    );
  }
} finally {
  await videos.close();
  await face.close();
  await synthesizer.close();
  await maker.close();
  await rm(folder, { recursive: true, force: true });
}

/** Landscape moments in rows, then the same neutral face and one vowel as portraits. */
async function drawSheet(at: string): Promise<Buffer> {
  const kept = parsePhotoFace(await readFile(join(at, 'face.json'), 'utf8'));
  const photo = await readFile(join(at, 'photo.png'));
  const wide = await drawPhotoFace(kept, photo, 1152, 768);
  const tall = await drawPhotoFace(kept, photo, 768, 1152);
  const rows = Math.ceil(MOMENTS.length / COLUMNS);
  const sheet = createCanvas(COLUMNS * CELL.width, rows * CELL.height + TALL.height);
  const ctx = sheet.getContext('2d');
  ctx.imageSmoothingQuality = 'high';
  const put = (drawing: typeof wide, state: FaceState, x: number, y: number, size: typeof CELL) => {
    const still = drawing.still(state);
    const canvas = createCanvas(still.width, still.height);
    const image = canvas.getContext('2d').createImageData(still.width, still.height);
    image.data.set(still.data);
    canvas.getContext('2d').putImageData(image, 0, 0);
    ctx.drawImage(canvas, x, y, size.width, size.height);
  };
  MOMENTS.forEach((state, i) =>
    put(wide, state, (i % COLUMNS) * CELL.width, Math.floor(i / COLUMNS) * CELL.height, CELL),
  );
  MOMENTS.slice(0, COLUMNS).forEach((state, i) => put(tall, state, i * TALL.width, rows * CELL.height, TALL));
  return sheet.encode('png');
}
