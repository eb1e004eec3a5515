import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { NEUTRAL_FACE, type FaceState } from '../animation/face-state.ts';
import { VISEME_POSES } from '../animation/viseme-poses.ts';
import { FACE_PARTS, PART_ATLASES } from '../rendering/prepared-avatar.ts';
import { parsePhotoFace } from './photo-face.ts';
import { drawPhotoFace, type PhotoDrawing } from './photo-source.ts';
import { luminance, meanColor, type Raster } from './raster.ts';

const portraits = new URL('../../../e2e/fixtures/portraits/', import.meta.url);

function open(name: string, width: number, height: number): Promise<PhotoDrawing> {
  return drawPhotoFace(
    parsePhotoFace(readFileSync(new URL(`${name}.face.json`, portraits), 'utf8')),
    readFileSync(new URL(`${name}.jpg`, portraits)),
    width,
    height,
  );
}

const state = (part: Partial<FaceState>): FaceState => ({ ...NEUTRAL_FACE, ...part });
const light = (raster: Raster, x: number, y: number, radius: number) => luminance(...meanColor(raster, x, y, radius));

/**
 * The darkest spot of three face units on the way from upper lip to chin: an open mouth, or the line between the lips.
 */
function darkestInMouth(face: PhotoDrawing, part: Partial<FaceState>): number {
  const { frame } = face.geometry.lips;
  const { unit } = face.geometry;
  const still = face.still(state(part));
  return Math.min(...Array.from({ length: 40 }, (_, i) => light(still, frame.x, frame.y + (i - 8) * unit, 1.5 * unit)));
}

describe.each(['grace-hopper', 'eileen-collins'])('The photographed face %s', (name) => {
  let face: PhotoDrawing;
  beforeAll(async () => {
    face = await open(name, 720, 480);
  });

  it('has parts that stay inside of the image and do not overlap', async () => {
    for (const [width, height] of [
      [720, 480],
      [1152, 768],
      [768, 1152],
    ] as const) {
      const { rects } = (await open(name, width, height)).geometry;
      const inOrder = [rects.brows, rects.eyes, rects.mouth];
      for (const rect of inOrder) {
        expect([rect.x % 2, rect.y % 2, rect.width % 2, rect.height % 2]).toEqual([0, 0, 0, 0]);
        expect(rect.x).toBeGreaterThanOrEqual(0);
        expect(rect.x + rect.width).toBeLessThanOrEqual(width);
        expect(rect.y + rect.height).toBeLessThanOrEqual(height);
        expect(Math.min(rect.width, rect.height)).toBeGreaterThan(15);
      }
      expect(rects.brows.y + rects.brows.height).toBeLessThanOrEqual(rects.eyes.y);
      expect(rects.eyes.y + rects.eyes.height).toBeLessThanOrEqual(rects.mouth.y);
    }
  });

  it('opens a dark mouth for vowels and keeps it shut for m, b and p', () => {
    const shut = darkestInMouth(face, VISEME_POSES.mbp);
    expect(darkestInMouth(face, VISEME_POSES.aa)).toBeLessThan(shut * 0.65);
    expect(darkestInMouth(face, VISEME_POSES.oh)).toBeLessThan(shut * 0.75);
    expect(darkestInMouth(face, VISEME_POSES.aa)).toBeLessThan(darkestInMouth(face, VISEME_POSES.rest) * 0.75);
  });

  it('is narrower for w than for ee', () => {
    const { frame } = face.geometry.lips;
    // Beside the closed corner of the mouth, an open spread mouth is dark and a puckered one is skin.
    const beside = (part: Partial<FaceState>) =>
      light(
        face.still(state({ ...part, mouthOpen: 0.4 })),
        frame.x + frame.half * 0.72,
        frame.y + 4 * face.geometry.unit,
        face.geometry.unit,
      );
    expect(beside({ mouthWide: -1 })).toBeGreaterThan(beside({ mouthWide: 1 }) + 15);
  });

  it('covers the eyes in a blink', () => {
    for (const { frame } of [face.geometry.leftEye, face.geometry.rightEye]) {
      const at = (lids: number) =>
        light(face.still(state({ lids })), frame.x, frame.y - 1 * face.geometry.unit, 3 * face.geometry.unit);
      expect(at(0)).toBeGreaterThan(at(1) * 1.25);
    }
  });

  it('lowers its chin with an open mouth and lifts the corners of a smile', () => {
    const open = face.still(state({ mouthOpen: 1 }));
    const { chin, unit } = face.geometry;
    let moved = 0;
    for (let y = Math.round(chin[1] - 6 * unit); y < chin[1] + 10 * unit; y++)
      moved += Math.abs(light(open, chin[0], y, 1) - light(face.image, chin[0], y, 1));
    expect(moved).toBeGreaterThan(20);
    const { frame } = face.geometry.lips;
    const corner = (part: Partial<FaceState>) =>
      light(face.still(state(part)), frame.x + frame.half, frame.y - 5 * unit, 2 * unit);
    expect(Math.abs(corner({ smile: 1 }) - corner({ smile: -0.8 }))).toBeGreaterThan(3);
  });

  it('meets the photo around each part, whatever it does', () => {
    for (const part of FACE_PARTS) {
      const rect = face.geometry.rects[part];
      const { states } = PART_ATLASES[part];
      for (let i = 0; i < states.length; i += 29) {
        const patch = face.part(part, states[i]!);
        let worst = 0;
        for (let x = 0; x < rect.width; x++) {
          for (const y of [0, rect.height - 1])
            worst = Math.max(worst, difference(patch, x, y, face.image, rect.x + x, rect.y + y));
        }
        for (let y = 0; y < rect.height; y++) {
          for (const x of [0, rect.width - 1])
            worst = Math.max(worst, difference(patch, x, y, face.image, rect.x + x, rect.y + y));
        }
        expect(worst, `${part} ${i}`).toBeLessThan(28);
      }
    }
  });
});

function difference(a: Raster, ax: number, ay: number, b: Raster, bx: number, by: number): number {
  const i = (ay * a.width + ax) * 4;
  const k = (by * b.width + bx) * 4;
  return Math.abs(
    luminance(a.data[i]!, a.data[i + 1]!, a.data[i + 2]!) - luminance(b.data[k]!, b.data[k + 1]!, b.data[k + 2]!),
  );
}
