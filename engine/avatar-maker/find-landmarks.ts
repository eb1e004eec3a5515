import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createCanvas, type Canvas } from '@napi-rs/canvas';
import { LANDMARK_COUNT, MIRRORED, type Landmarks, type Point } from '../face/photo/landmarks.ts';
import type { FoundFace } from './judge-face.ts';
import { loadTensors, type Tensors } from './tensors.ts';

/**
 * Faces and their landmarks, by the networks inside `@vladmandic/face-api` on the WebAssembly backend. The libraries
 * take 380 MB for a small photo to 700 MB for a large one, and block for seconds, so this module is imported by the
 * photo process only.
 */
const require = createRequire(import.meta.url);

interface Networks {
  detectAllFaces(tensor: unknown, options: unknown): Promise<{ score: number; box: FoundFace['box'] }[]>;
  SsdMobilenetv1Options: new (options: { minConfidence: number; maxResults: number }) => object;
  nets: Record<'ssdMobilenetv1' | 'faceLandmark68Net', { loadFromDisk(folder: string): Promise<void> }> & {
    faceLandmark68Net: { detectLandmarks(tensor: unknown): Promise<{ relativePositions: { x: number; y: number }[] }> };
  };
}

export interface FaceFinder {
  /** Every face that might be one, with its score. */
  faces(image: Canvas): Promise<FoundFace[]>;
  landmarks(image: Canvas, box: FoundFace['box']): Promise<Landmarks>;
}

export async function openFaceFinder(): Promise<FaceFinder> {
  const tf = loadTensors();
  const wasm = require('@tensorflow/tfjs-backend-wasm') as { setWasmPaths(folder: string): void };
  wasm.setWasmPaths(join(dirname(require.resolve('@tensorflow/tfjs-backend-wasm/package.json')), 'dist/'));
  const networks = require('@vladmandic/face-api/dist/face-api.node-wasm.js') as Networks;
  await tf.setBackend('wasm');
  await tf.ready();
  const models = join(dirname(require.resolve('@vladmandic/face-api/package.json')), 'model');
  await networks.nets.ssdMobilenetv1.loadFromDisk(models);
  await networks.nets.faceLandmark68Net.loadFromDisk(models);

  async function landmarksIn(crop: Canvas): Promise<Point[]> {
    const tensor = pixels(tf, crop);
    const { relativePositions } = await networks.nets.faceLandmark68Net.detectLandmarks(tensor);
    tensor.dispose();
    return relativePositions.map(({ x, y }) => [x, y] as const);
  }

  return {
    async faces(image) {
      const tensor = pixels(tf, image);
      const found = await networks.detectAllFaces(
        tensor,
        new networks.SsdMobilenetv1Options({ minConfidence: MIN_SCORE, maxResults: MAX_FACES }),
      );
      tensor.dispose();
      return found.map(({ score, box: { x, y, width, height } }) => ({ score, box: { x, y, width, height } }));
    },
    async landmarks(image, box) {
      const rough = await averaged(image, box, 0, landmarksIn);
      // The second look is at an upright face: the network has seen few others.
      return averaged(image, boxAround(rough), tiltOf(rough), landmarksIn);
    },
  };
}

/** Lower ones are reported so that the rules, not the network, decide. */
const MIN_SCORE = 0.3;
const MAX_FACES = 12;

function pixels(tf: Tensors, canvas: Canvas): { dispose(): void } {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const rgb = new Uint8Array(canvas.width * canvas.height * 3);
  for (let from = 0, to = 0; from < data.length; from += 4, to += 3) {
    rgb[to] = data[from]!;
    rgb[to + 1] = data[from + 1]!;
    rgb[to + 2] = data[from + 2]!;
  }
  return tf.tensor3d(rgb, [canvas.height, canvas.width, 3], 'int32');
}

type Box = FoundFace['box'];

/**
 * The network answers for a crop and errs by a few per cent of it, differently for each crop: the mean over shifted,
 * resized and mirrored crops is about half as far off.
 */
const CROPS = [
  { size: 1, dx: 0, dy: 0 },
  { size: 1.08, dx: 0, dy: 0 },
  { size: 1.16, dx: 0, dy: 0.02 },
  { size: 1.06, dx: 0.03, dy: 0 },
  { size: 1.06, dx: -0.03, dy: 0 },
  { size: 1.06, dx: 0, dy: 0.03 },
  { size: 1.06, dx: 0, dy: -0.03 },
] as const;
/** What the network sees is scaled to 112 pixels; more in the crop is only smoother. */
const CROP_PIXELS = 224;

async function averaged(
  image: Canvas,
  box: Box,
  tilt: number,
  landmarksIn: (crop: Canvas) => Promise<Point[]>,
): Promise<Landmarks> {
  const sums = Array.from({ length: LANDMARK_COUNT }, () => [0, 0] as [number, number]);
  let weight = 0;
  for (const { size, dx, dy } of CROPS) {
    for (const mirror of [false, true]) {
      const side = Math.max(box.width, box.height) * size;
      const view = { x: box.x + box.width * (0.5 + dx), y: box.y + box.height * (0.5 + dy), side, tilt, mirror };
      const found = await landmarksIn(crop(image, view));
      weight++;
      for (let i = 0; i < LANDMARK_COUNT; i++) {
        const [u, v] = found[mirror ? MIRRORED[i]! : i]!;
        const [x, y] = outOf(view, mirror ? 1 - u : u, v);
        sums[i]![0] += x;
        sums[i]![1] += y;
      }
    }
  }
  return sums.map(([x, y]) => [x / weight, y / weight] as const);
}

/** A square view of the image: center, side, and the angle by which its axes are turned. */
interface View {
  readonly x: number;
  readonly y: number;
  readonly side: number;
  readonly tilt: number;
  readonly mirror: boolean;
}

function crop(image: Canvas, view: View): Canvas {
  const canvas = createCanvas(CROP_PIXELS, CROP_PIXELS);
  const ctx = canvas.getContext('2d');
  ctx.fillStyle = 'rgb(128, 128, 128)';
  ctx.fillRect(0, 0, CROP_PIXELS, CROP_PIXELS);
  const scale = CROP_PIXELS / view.side;
  ctx.translate(CROP_PIXELS / 2, CROP_PIXELS / 2);
  ctx.scale(view.mirror ? -scale : scale, scale);
  ctx.rotate(-view.tilt);
  ctx.translate(-view.x, -view.y);
  ctx.drawImage(image, 0, 0);
  return canvas;
}

function outOf(view: View, u: number, v: number): Point {
  const lx = (u - 0.5) * view.side;
  const ly = (v - 0.5) * view.side;
  const cos = Math.cos(view.tilt);
  const sin = Math.sin(view.tilt);
  return [view.x + lx * cos - ly * sin, view.y + lx * sin + ly * cos];
}

function tiltOf(points: Landmarks): number {
  const [a, b] = [points[36]!, points[45]!];
  return Math.atan2(b[1] - a[1], b[0] - a[0]);
}

/** Room around the points of a face, as the network was trained with. */
function boxAround(points: Landmarks): Box {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const side = Math.max(x1 - x0, y1 - y0) * 1.12;
  return { x: (x0 + x1 - side) / 2, y: (y0 + y1 - side) / 2, width: side, height: side };
}
