import { createCanvas } from '@napi-rs/canvas';
import { beforeAll, describe, expect, it } from 'vitest';
import { VISEMES } from '../../ports.ts';
import { NEUTRAL_FACE } from '../animation/face-state.ts';
import type { FaceState } from '../animation/face-state.ts';
import { seededRandom } from '../animation/random.ts';
import { VISEME_POSES } from '../animation/viseme-poses.ts';
import { AVATAR_CATALOGUE, CAST } from '../avatars/catalogue.ts';
import { compose } from '../avatars/composition.ts';
import { drawPart } from '../avatars/draw-portrait.ts';
import { createIllustratedSource } from '../avatars/illustrated-source.ts';
import { drawAvatar } from '../prepare/draw-avatar.ts';
import { drawLabel, stampLabel } from './disclosure.ts';
import { packedFrame } from './i420.ts';
import { PatchRenderer } from './patch-renderer.ts';
import { FACE_PARTS, PART_ATLASES } from './prepared-avatar.ts';
import type { PreparedAvatar } from './prepared-avatar.ts';
import { packAvatar, unpackAvatar } from './prepared-file.ts';
import { Warp, fieldColumns } from './warp.ts';

const SIZE = { width: 720, height: 480 };
let avatar: PreparedAvatar;

beforeAll(async () => {
  avatar = drawAvatar(await createIllustratedSource().open(CAST[0]!.engineKey, SIZE.width, SIZE.height));
});

function mouthPixels(state: FaceState): Uint8Array {
  const frame = packedFrame(SIZE.width, SIZE.height);
  new PatchRenderer(avatar).createPainter(frame).paint(state);
  const { rect } = avatar.parts.mouth;
  const pixels: number[] = [];
  for (let y = rect.y; y < rect.y + rect.height; y++)
    pixels.push(...frame.planes[0].subarray(y * SIZE.width + rect.x, y * SIZE.width + rect.x + rect.width));
  return Uint8Array.from(pixels);
}

function difference(a: Uint8Array, b: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs(a[i]! - b[i]!);
  return sum / a.length;
}

describe('mouth shapes', () => {
  it('look different from each other, except those that look alike in life', () => {
    const alike = new Set(['td n', 'n td', 'rest mbp', 'mbp rest']);
    const frames = new Map(VISEMES.map((v) => [v, mouthPixels({ ...NEUTRAL_FACE, ...VISEME_POSES[v] })]));
    for (const [a, x] of frames) {
      for (const [b, y] of frames)
        if (a !== b && !alike.has(`${a} ${b}`)) expect(difference(x, y), `${a} and ${b}`).toBeGreaterThan(0.3);
    }
  });

  it('show no dark gap between the lips of m, b and p, and a wide one for a', () => {
    // The inside of a mouth is far darker than lips and skin, except for the thin line between closed lips. Only the
    // middle of the rectangle is examined: hair and collar at its rim are dark too.
    const { width, height } = avatar.parts.mouth.rect;
    const middle = (i: number) =>
      Math.abs((i % width) - width / 2) < width / 8 && Math.abs(Math.floor(i / width) - height / 2) < height / 4;
    const dark = (viseme: 'mbp' | 'aa') =>
      mouthPixels({ ...NEUTRAL_FACE, ...VISEME_POSES[viseme] }).filter((luma, i) => middle(i) && luma < 70).length;
    expect(dark('aa')).toBeGreaterThan(150);
    expect(dark('mbp')).toBeLessThan(dark('aa') / 4);
  });
});

describe('the patch renderer', () => {
  it('says when nothing changed, and draws the same frame whatever was drawn before', () => {
    const renderer = new PatchRenderer(avatar);
    const one = packedFrame(SIZE.width, SIZE.height);
    const other = packedFrame(SIZE.width, SIZE.height);
    const painter = renderer.createPainter(one);
    const states: FaceState[] = [
      { ...NEUTRAL_FACE, yaw: 0.5, breath: 1 },
      { ...NEUTRAL_FACE, yaw: 0.5, breath: 1, lids: 0 },
      { ...NEUTRAL_FACE, yaw: -0.4, pitch: 0.6, mouthOpen: 0.8 },
      { ...NEUTRAL_FACE, yaw: -0.4, pitch: 0.6, mouthOpen: 0.2 },
      { ...NEUTRAL_FACE, yaw: -0.4, pitch: 0.6, mouthOpen: 0.8, smile: -0.5 },
      { ...NEUTRAL_FACE, yaw: -0.4, pitch: 0.6, mouthOpen: 0.8, gazeX: 0.7, browRaise: 1 },
    ];
    // Another painter of the same renderer in between: sessions share it.
    const neighbor = renderer.createPainter(packedFrame(SIZE.width, SIZE.height));
    for (const state of states) {
      painter.paint(state);
      neighbor.paint({ ...NEUTRAL_FACE, roll: -1, smile: 1, mouthOpen: 0.4 });
      expect(painter.paint(state)).toEqual([]);
      new PatchRenderer(avatar).createPainter(other).paint(state);
      for (const plane of [0, 1, 2] as const) expect(Buffer.compare(one.planes[plane], other.planes[plane])).toBe(0);
    }
  });

  it('draws the same frame as a fresh painter, whichever parts change together', () => {
    const renderer = new PatchRenderer(avatar);
    const fresh = new PatchRenderer(avatar);
    const [one, other] = [packedFrame(SIZE.width, SIZE.height), packedFrame(SIZE.width, SIZE.height)];
    const painter = renderer.createPainter(one);
    const random = seededRandom(7);
    const part = (state: FaceState): FaceState => {
      const change = (low: number) => low + random() * (1 - low);
      const changes: Partial<FaceState>[] = [
        { yaw: change(-1), pitch: change(-1), roll: change(-1) },
        { breath: change(0) },
        { mouthOpen: change(0), mouthWide: change(-1) },
        { lids: change(0) },
        { browRaise: change(-1) },
      ];
      return changes.reduce<FaceState>((next, made) => (random() < 0.4 ? { ...next, ...made } : next), state);
    };
    for (let i = 0, state: FaceState = NEUTRAL_FACE; i < 60; i++) {
      state = part(state);
      painter.paint(state);
      fresh.createPainter(other).paint(state);
      for (const plane of [0, 1, 2] as const) expect(Buffer.compare(one.planes[plane], other.planes[plane])).toBe(0);
    }
  });

  it.each([
    ['a word', { mouthOpen: 0.7, mouthWide: 0.5 }],
    ['a blink', { lids: 0 }],
    ['a turned head', { yaw: 0.8 }],
    ['a breath', { breath: 1 }],
  ])('says outside of which part the frame stays as it was: %s', (_name, change) => {
    const frame = packedFrame(SIZE.width, SIZE.height);
    const painter = new PatchRenderer(avatar).createPainter(frame);
    expect(painter.paint(NEUTRAL_FACE)).toEqual([{ x: 0, y: 0, ...SIZE }]);
    const before = frame.planes.map((plane) => Uint8Array.from(plane));
    const areas = painter.paint({ ...NEUTRAL_FACE, ...change });
    let inside = 0;
    let outside = 0;
    before.forEach((plane, p) => {
      const shift = p === 0 ? 0 : 1;
      const width = SIZE.width >> shift;
      plane.forEach((value, i) => {
        if (value === frame.planes[p]![i]) return;
        const x = (i % width) << shift;
        const y = Math.floor(i / width) << shift;
        const within = areas.some((a) => x >= a.x && x < a.x + a.width && y >= a.y && y < a.y + a.height);
        if (within) inside++;
        else outside++;
      });
    });
    expect(inside).toBeGreaterThan(100);
    expect(outside).toBe(0);
  });

  it('survives the way through a file, and refuses one that was cut short', () => {
    const packed = packAvatar(avatar);
    const again = unpackAvatar(packed);
    expect(again.anatomy).toEqual(avatar.anatomy);
    expect(Buffer.compare(again.parts.eyes.patches, avatar.parts.eyes.patches)).toBe(0);
    expect(() => unpackAvatar(packed.slice(0, packed.byteLength - 10))).toThrow(RangeError);
  });
});

describe('the drawn parts', () => {
  it('stay inside of their rectangles in every state', () => {
    const composition = compose(SIZE.width, SIZE.height);
    // The part alone on nothing: whatever is not transparent was painted by it.
    const paint = (part: (typeof FACE_PARTS)[number], state: FaceState) => {
      const ctx = createCanvas(SIZE.width, SIZE.height).getContext('2d');
      drawPart(ctx, part, CAST[0]!, state, composition);
      return ctx.getImageData(0, 0, SIZE.width, SIZE.height).data;
    };
    for (const part of FACE_PARTS) {
      const { rect } = avatar.parts[part];
      const { states } = PART_ATLASES[part];
      const rest = paint(part, NEUTRAL_FACE);
      for (const state of states.filter((_, i) => i % Math.ceil(states.length / 24) === 0)) {
        const drawn = paint(part, state);
        let outside = 0;
        for (let i = 3, pixel = 0; i < drawn.length; i += 4, pixel++) {
          const x = pixel % SIZE.width;
          const y = Math.floor(pixel / SIZE.width);
          const within = x >= rect.x && x < rect.x + rect.width && y >= rect.y && y < rect.y + rect.height;
          // The faintest part of a soft shade may lie beyond: nobody sees its edge below a twentieth of opacity.
          if (!within && Math.abs(drawn[i]! - rest[i]!) > 13) outside++;
        }
        expect(outside, `${part} of ${JSON.stringify(state)}`).toBe(0);
      }
    }
  });

  it('exist for at least six people', () => {
    expect(AVATAR_CATALOGUE.length).toBeGreaterThanOrEqual(6);
    expect(new Set(AVATAR_CATALOGUE.map((entry) => entry.engineKey)).size).toBe(AVATAR_CATALOGUE.length);
  });
});

describe('the warp kernel', () => {
  it('does the arithmetic of a bilinear shift', () => {
    const [width, height] = [64, 32];
    const warp = new Warp(width, height);
    for (let i = 0; i < warp.source.length; i++) warp.source[i] = (i * 97) % 251;
    const [dx, dy] = [1.25, -0.5];
    for (let i = 0; i < fieldColumns(width) * (height / 8 + 1); i++) warp.field.set([dx * 64, dy * 64], i * 2);
    warp.run({ x: 0, y: 0, width, height });
    const at = (x: number, y: number) => warp.source[y * width + x]!;
    for (let y = 1; y < height; y++) {
      for (let x = 0; x < width - 16; x++) {
        const top = at(x + 1, y - 1) * 0.75 + at(x + 2, y - 1) * 0.25;
        const bottom = at(x + 1, y) * 0.75 + at(x + 2, y) * 0.25;
        expect(Math.abs(warp.result[y * width + x]! - (top + bottom) / 2)).toBeLessThanOrEqual(0.51);
      }
    }
  });
});

describe('the disclosure label', () => {
  it('is there, legible, and the same when stamped twice', () => {
    const label = drawLabel('AI avatar', SIZE.height);
    expect(label.height / SIZE.height).toBeGreaterThanOrEqual(0.04);
    const once = packedFrame(SIZE.width, SIZE.height);
    stampLabel(label, once);
    const luma = label.pixels.subarray(0, label.width * label.height);
    expect(luma.filter((value) => value > 200).length / luma.length).toBeGreaterThan(0.08);
    expect(luma.filter((value) => value < 40).length / luma.length).toBeGreaterThan(0.4);
    const first = Buffer.from(once.planes[0]);
    stampLabel(label, once);
    expect(Buffer.compare(first, once.planes[0])).toBe(0);
  });
});
