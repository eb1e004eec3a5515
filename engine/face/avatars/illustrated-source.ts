import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { createCanvas } from '@napi-rs/canvas';
import type { Canvas } from '@napi-rs/canvas';
import { NEUTRAL_FACE } from '../animation/face-state.ts';
import type { FaceState } from '../animation/face-state.ts';
import { restingFace } from '../animation/animator.ts';
import { i420Bytes, rgbaToI420 } from '../rendering/i420.ts';
import type { Rect } from '../rendering/i420.ts';
import { FACE_PARTS } from '../rendering/prepared-avatar.ts';
import type { FacePart } from '../rendering/prepared-avatar.ts';
import { POSTER_QUALITY, type AvatarDrawing, type AvatarSource } from '../prepare/avatar-source.ts';
import type { AvatarSpec } from './avatar-spec.ts';
import { CAST } from './catalogue.ts';
import { anatomyOf, compose, partRects } from './composition.ts';
import type { Composition } from './composition.ts';
import { drawOver, drawPart, drawUnder } from './draw-portrait.ts';

/** The drawn avatars as a source of prepared ones. */
export function createIllustratedSource(): AvatarSource {
  const version = drawingVersion();
  return {
    has: (engineKey) => CAST.some((spec) => spec.engineKey === engineKey),
    contentHash: (engineKey) =>
      createHash('sha256')
        .update(version)
        .update(JSON.stringify(specOf(engineKey)))
        .digest('hex')
        .slice(0, 24),
    open: (engineKey, width, height) => openDrawing(specOf(engineKey), compose(width, height)),
    poster: (engineKey, width, height) =>
      drawStill(specOf(engineKey), width, height, restingFace('speaking', 'warm', 1)).toBuffer(
        'image/jpeg',
        POSTER_QUALITY,
      ),
  };
}

function specOf(engineKey: string): AvatarSpec {
  const spec = CAST.find((candidate) => candidate.engineKey === engineKey);
  if (spec === undefined) throw new RangeError(`There is no drawn avatar ${JSON.stringify(engineKey)}.`);
  return spec;
}

/**
 * Changes with the code that draws, moves and encodes. So a new version never shows frames that an old one has cached.
 */
function drawingVersion(): string {
  const hash = createHash('sha256');
  for (const folder of ['.', '../rendering', '../animation', '../encode']) {
    const at = new URL(`${folder}/`, import.meta.url);
    for (const name of readdirSync(at)
      .filter((n) => n.endsWith('.ts') && !n.endsWith('.test.ts'))
      .toSorted())
      hash.update(readFileSync(new URL(name, at)));
  }
  return hash.digest('hex');
}

/** A whole frame in one state, as a canvas. */
export function drawStill(spec: AvatarSpec, width: number, height: number, state: FaceState): Canvas {
  const c = compose(width, height);
  const canvas = createCanvas(width, height);
  const ctx = canvas.getContext('2d');
  drawUnder(ctx, spec, c);
  for (const part of FACE_PARTS) drawPart(ctx, part, spec, state, c);
  drawOver(ctx, spec, c);
  return canvas;
}

function openDrawing(spec: AvatarSpec, c: Composition): AvatarDrawing {
  const layers = drawLayers(spec, c);
  const rects = partRects(c);
  return {
    width: c.width,
    height: c.height,
    anatomy: anatomyOf(spec, c),
    rects,
    base() {
      const out = new Uint8Array(i420Bytes(c.width, c.height));
      drawParts(layers, FACE_PARTS, spec, NEUTRAL_FACE, c, { x: 0, y: 0, width: c.width, height: c.height }, out);
      return out;
    },
    part: (name, state, out) => drawParts(layers, [name], spec, state, c, rects[name], out),
  };
}

interface Layers {
  readonly under: Canvas;
  readonly over: Canvas;
}

function drawLayers(spec: AvatarSpec, c: Composition): Layers {
  const under = createCanvas(c.width, c.height);
  drawUnder(under.getContext('2d'), spec, c);
  const over = createCanvas(c.width, c.height);
  drawOver(over.getContext('2d'), spec, c);
  return { under, over };
}

/** Parts between the layers under and over them, cut out at `rect`. */
function drawParts(
  layers: Layers,
  parts: readonly FacePart[],
  spec: AvatarSpec,
  state: FaceState,
  c: Composition,
  rect: Rect,
  out: Uint8Array,
): void {
  const canvas = createCanvas(rect.width, rect.height);
  const ctx = canvas.getContext('2d');
  const copy = (layer: Canvas) =>
    ctx.drawImage(layer, rect.x, rect.y, rect.width, rect.height, 0, 0, rect.width, rect.height);
  copy(layers.under);
  ctx.save();
  ctx.translate(-rect.x, -rect.y);
  for (const part of parts) drawPart(ctx, part, spec, state, c);
  ctx.restore();
  copy(layers.over);
  rgbaToI420(ctx.getImageData(0, 0, rect.width, rect.height).data, rect.width, rect.height, out);
}
