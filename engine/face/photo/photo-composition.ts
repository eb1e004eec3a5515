import { createCanvas, type Canvas, type Image, type SKRSContext2D } from '@napi-rs/canvas';
import { CHIN, eyeCenters, midpoint, type Landmarks, type Point } from './landmarks.ts';
import type { PhotoFace } from './photo-face.ts';

/** How a photo is placed in an image: turned until the eyes are level, scaled, shifted. */
export interface PhotoComposition {
  readonly width: number;
  readonly height: number;
  /** Image pixels per photo pixel. */
  readonly zoom: number;
  /** Radians by which the photo is turned. */
  readonly turn: number;
  /** Where the middle between the eyes is, in the photo and in the image. */
  readonly from: Point;
  readonly to: Point;
  readonly photo: { readonly width: number; readonly height: number };
}

/** Eyes to chin, in the face units that drawn and photographed avatars share. */
export const EYES_TO_CHIN = 148;
/** Where the eyes may be, as shares of the image's height, best first. */
const EYE_LINES = { landscape: [0.45, 0.42, 0.48, 0.39, 0.51], portrait: [0.41, 0.38, 0.44, 0.35, 0.47] } as const;
/** Shares of the image's width by which the face may be off center. */
const ASIDES = [0, -0.05, 0.05, -0.1, 0.1] as const;
/** How much closer the camera may come to hide that the photo ends. A larger value would cut the hair. */
const CLOSER = [1, 1.08, 1.16, 1.24, 1.32, 1.4] as const;

/** Frames head and shoulders like the drawn avatars, and moves within limits so that the photo fills the image. */
export function composePhoto(face: PhotoFace, width: number, height: number): PhotoComposition {
  const [left, right] = eyeCenters(face.landmarks);
  const eyes = midpoint(left, right);
  const turn = -Math.atan2(right[1] - left[1], right[0] - left[0]);
  const chin = face.landmarks[CHIN]!;
  const eyesToChin = Math.hypot(chin[0] - eyes[0], chin[1] - eyes[1]);
  const landscape = width >= height;
  const unit = landscape ? height / 520 : width / 425;
  let best: { composition: PhotoComposition; cost: number } | null = null;
  for (const [near, closer] of CLOSER.entries()) {
    for (const [line, share] of EYE_LINES[landscape ? 'landscape' : 'portrait'].entries()) {
      for (const aside of ASIDES) {
        const composition = {
          width,
          height,
          zoom: (unit * closer * EYES_TO_CHIN) / eyesToChin,
          turn,
          from: eyes,
          to: [width * (0.5 + aside), height * share] as const,
          photo: { width: face.width, height: face.height },
        };
        // An uncovered twentieth is as bad as everything else together.
        const cost = uncovered(composition) * 200 + near * 1.2 + line + Math.abs(aside) * 30;
        if (best === null || cost < best.cost) best = { composition, cost };
      }
    }
  }
  return best!.composition;
}

/** Share of the image that the photo does not reach. */
function uncovered(c: PhotoComposition): number {
  const steps = 12;
  let outside = 0;
  for (let row = 0; row <= steps; row++) {
    for (let column = 0; column <= steps; column++) {
      const [x, y] = toPhoto(c, [(c.width * column) / steps, (c.height * row) / steps]);
      if (x < 0 || y < 0 || x > c.photo.width || y > c.photo.height) outside++;
    }
  }
  return outside / (steps + 1) ** 2;
}

function toPhoto(c: PhotoComposition, [x, y]: Point): Point {
  const dx = (x - c.to[0]) / c.zoom;
  const dy = (y - c.to[1]) / c.zoom;
  const cos = Math.cos(-c.turn);
  const sin = Math.sin(-c.turn);
  return [c.from[0] + dx * cos - dy * sin, c.from[1] + dx * sin + dy * cos];
}

/** Landmarks of the photo in the image. */
export function landmarksInImage(c: PhotoComposition, points: Landmarks): Landmarks {
  const cos = Math.cos(c.turn) * c.zoom;
  const sin = Math.sin(c.turn) * c.zoom;
  return points.map(([x, y]) => {
    const dx = x - c.from[0];
    const dy = y - c.from[1];
    return [c.to[0] + dx * cos - dy * sin, c.to[1] + dx * sin + dy * cos] as const;
  });
}

/** Width of the seam between photo and backdrop, as a share of the image's height. */
const FEATHER = 0.06;

/** Draws the photo. Where it ends before the image does, a blurred reflection continues it. */
export function drawPhoto(ctx: SKRSContext2D, photo: Canvas | Image, c: PhotoComposition): void {
  if (uncovered(c) > 0) drawBackdrop(ctx, photo, c);
  const layer = createCanvas(c.width, c.height);
  const to = layer.getContext('2d');
  placed(to, c, () => to.drawImage(photo, 0, 0));
  if (uncovered(c) > 0) {
    to.globalCompositeOperation = 'destination-in';
    placed(to, c, () => featheredRect(to, c));
  }
  ctx.drawImage(layer, 0, 0);
}

function placed(ctx: SKRSContext2D, c: PhotoComposition, draw: () => void): void {
  ctx.save();
  ctx.imageSmoothingQuality = 'high';
  ctx.translate(c.to[0], c.to[1]);
  ctx.rotate(c.turn);
  ctx.scale(c.zoom, c.zoom);
  ctx.translate(-c.from[0], -c.from[1]);
  draw();
  ctx.restore();
}

/** The photo among its own mirror images, blurred: edges and colors continue. */
function drawBackdrop(ctx: SKRSContext2D, photo: Canvas | Image, c: PhotoComposition): void {
  const { width, height } = c.photo;
  const sharp = createCanvas(c.width, c.height);
  const to = sharp.getContext('2d');
  placed(to, c, () => {
    for (let column = -2; column <= 2; column++) {
      for (let row = -2; row <= 2; row++) {
        to.save();
        to.translate(column * width + (column % 2 === 0 ? 0 : width), row * height + (row % 2 === 0 ? 0 : height));
        to.scale(column % 2 === 0 ? 1 : -1, row % 2 === 0 ? 1 : -1);
        to.drawImage(photo, 0, 0);
        to.restore();
      }
    }
  });
  const blur = c.height * 0.03;
  ctx.save();
  ctx.filter = `blur(${blur.toFixed(1)}px)`;
  // Drawn a little larger, so that the blur finds no edge.
  ctx.drawImage(sharp, -blur, -blur, c.width + 2 * blur, c.height + 2 * blur);
  ctx.restore();
}

/** An opaque rectangle of the photo's size that fades inwards at its rim. */
function featheredRect(ctx: SKRSContext2D, c: PhotoComposition): void {
  const { width, height } = c.photo;
  const rim = (c.height * FEATHER) / c.zoom;
  const mask = createCanvas(256, 256);
  const to = mask.getContext('2d');
  const ramp = (horizontal: boolean) => {
    const share = Math.min(0.45, rim / (horizontal ? width : height));
    const gradient = to.createLinearGradient(0, 0, horizontal ? 256 : 0, horizontal ? 0 : 256);
    for (const [at, alpha] of [
      [0, 0],
      [share, 1],
      [1 - share, 1],
      [1, 0],
    ] as const)
      gradient.addColorStop(at, `rgba(0, 0, 0, ${alpha})`);
    return gradient;
  };
  to.fillStyle = ramp(true);
  to.fillRect(0, 0, 256, 256);
  to.globalCompositeOperation = 'destination-in';
  to.fillStyle = ramp(false);
  to.fillRect(0, 0, 256, 256);
  ctx.drawImage(mask, 0, 0, width, height);
}
