import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { tinyOnnx } from '../../../models/testing/tiny-onnx.ts';
import { NEUTRAL_FACE } from '../animation/face-state.ts';
import { FRAME_MS } from '../frame-rate.ts';
import { packedFrame } from '../rendering/i420.ts';
import {
  FACE_PARTS,
  PART_ATLASES,
  patchBytes,
  type FacePart,
  type PreparedAvatar,
  type PreparedPart,
} from '../rendering/prepared-avatar.ts';
import { faceInput, faceRect } from './face-crop.ts';
import { FEATURE_SAMPLES, lipSyncFeatures, MEL_BANDS, MEL_FRAMES } from './lip-sync-features.ts';
import { loadLipSyncModel } from './lip-sync-model.ts';
import { openLipSync, type LipSync } from './lip-sync.ts';
import { NeuralRenderer } from './neural-renderer.ts';
import { SpeechTrack } from './speech-track.ts';
import { tinyLipSyncModel } from '../testing/tiny-lip-sync-model.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-lip-sync-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, content: Buffer | string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const modelPath = write('lip-sync.onnx', tinyLipSyncModel());

function tone(ms: number, hertz: number, amplitude: number): Int16Array {
  return Int16Array.from({ length: ms * 48 }, (_, i) => amplitude * Math.sin((2 * Math.PI * hertz * i) / 48_000));
}

/** A buzz: it has energy in every band of the spectrum. */
function buzz(ms: number, amplitude: number): Int16Array {
  return Int16Array.from({ length: ms * 48 }, (_, i) => (i % 480 < 6 ? amplitude : 0));
}

/** A gray face on gray, whose parts are gray too. */
function grayAvatar(): PreparedAvatar {
  const width = 720;
  const height = 480;
  const base = new Uint8Array((width * height * 3) / 2).fill(128);
  base.fill(150, 0, width * height);
  const rects = {
    brows: { x: 300, y: 120, width: 120, height: 30 },
    eyes: { x: 300, y: 150, width: 120, height: 40 },
    mouth: { x: 300, y: 250, width: 120, height: 90 },
  };
  const part = (name: FacePart): PreparedPart => {
    const rect = rects[name];
    const patches = new Uint8Array(patchBytes(rect) * PART_ATLASES[name].states.length).fill(128);
    for (let i = 0; i < PART_ATLASES[name].states.length; i++)
      patches.fill(150, i * patchBytes(rect), i * patchBytes(rect) + rect.width * rect.height);
    return { rect, patches, drawn: new Uint8Array(PART_ATLASES[name].states.length).fill(1) };
  };
  const parts = Object.fromEntries(FACE_PARTS.map((name) => [name, part(name)])) as Record<FacePart, PreparedPart>;
  const anatomy = {
    faceX: 360,
    faceY: 220,
    faceHalfWidth: 90,
    faceHalfHeight: 125,
    mouthY: 285,
    chinY: 335,
    headHalfWidth: 110,
    headTop: 60,
    neckY: 370,
    shouldersY: 400,
    shoulderHalfWidth: 200,
  };
  return { width, height, base, anatomy, parts };
}

describe('The sound that a face hears', () => {
  it('is read by engine time, with silence around', () => {
    const track = new SpeechTrack();
    track.add({ at: 1000, pcm: tone(100, 400, 20_000) });
    const around = track.read(950, 16 * 200);
    const loudest = (fromMs: number, toMs: number) =>
      Math.max(...around.subarray(fromMs * 16, toMs * 16).map(Math.abs));
    expect(loudest(0, 49)).toBe(0);
    expect(loudest(55, 145)).toBeCloseTo(20_000 / 32_768, 1);
    expect(loudest(151, 200)).toBe(0);
  });

  it('is replaced when it moves, and ends when it is stopped', () => {
    const track = new SpeechTrack();
    track.add({ at: 0, pcm: tone(400, 300, 10_000) });
    track.add({ at: 200, pcm: new Int16Array(4800) });
    expect(track.speaks(250)).toBe(true);
    expect(track.speaks(350)).toBe(false);
    expect(Math.max(...track.read(210, 1000).map(Math.abs))).toBe(0);
    track.stop(100);
    expect(track.speaks(99)).toBe(true);
    expect(track.speaks(101)).toBe(false);
  });
});

describe('The features of the sound', () => {
  it('lie between −4 and 4, −4 in silence', () => {
    expect(new Set(lipSyncFeatures(new Float32Array(FEATURE_SAMPLES)))).toEqual(new Set([-4]));
    const loud = lipSyncFeatures(Float32Array.from({ length: FEATURE_SAMPLES }, (_, i) => Math.sin(i * 1.7)));
    expect(loud).toHaveLength(MEL_BANDS * MEL_FRAMES);
    expect(Math.max(...loud)).toBeLessThanOrEqual(4);
    expect(Math.max(...loud)).toBeGreaterThan(1);
  });

  it('have a higher tone in a higher band', () => {
    const loudestBand = (hertz: number) => {
      const features = lipSyncFeatures(
        Float32Array.from({ length: FEATURE_SAMPLES }, (_, i) => 0.3 * Math.sin((2 * Math.PI * hertz * i) / 16_000)),
      );
      const level = (band: number) => features[band * MEL_FRAMES + 8]!;
      return Array.from({ length: MEL_BANDS }, (_, band) => band).reduce((best, band) =>
        level(band) > level(best) ? band : best,
      );
    };
    const bands = [150, 400, 1000, 2500, 6000].map(loudestBand);
    expect(bands).toEqual(bands.toSorted((a, b) => a - b));
    expect(new Set(bands).size).toBe(5);
  });
});

describe('A lip-sync model', () => {
  it.each(['sound first', 'face first'] as const)('is run with its inputs in the right places: %s', (order) => {
    const model = loadLipSyncModel(write(`${order}.onnx`, tinyLipSyncModel(order)));
    const pixels = model.infer(new Float32Array(MEL_BANDS * MEL_FRAMES), new Float32Array(6 * 96 * 96).fill(0.8));
    expect(pixels).toHaveLength(3 * 96 * 96);
    // Half of the mean color: the logistic function of a level of 0.
    expect(pixels[5000]).toBeCloseTo(0.4, 5);
    model.close();
  });

  it('is refused when it has another form', () => {
    const other = tinyOnnx({ name: 'x', dims: [1, 3] }, [{ type: 'Sigmoid', input: 'x', output: 'y' }], {
      name: 'y',
      dims: [1, 3],
    });
    expect(() => loadLipSyncModel(write('other.onnx', other))).toThrow(/two inputs/);
    expect(() => loadLipSyncModel(write('broken.onnx', 'not a model'))).toThrow();
  });

  it('that fails is told once, and nothing waits for it', async () => {
    const problems: string[] = [];
    const lipSync = openLipSync(write('nonsense.onnx', 'not a model'), (message) => problems.push(message));
    await expect.poll(() => problems.length).toBe(1);
    expect(lipSync.ask(1, new Float32Array(1), () => {})).toBe(false);
    await lipSync.close();
    expect(problems).toHaveLength(1);
  });

  it('whose thread died answers again, for the faces that it had', async () => {
    const problems: string[] = [];
    const lipSync = openLipSync(modelPath, (message) => problems.push(message));
    const face = lipSync.addFace(new Float32Array(6 * 96 * 96).fill(0.8));
    const answers: Float32Array[] = [];
    const mel = new Float32Array(MEL_BANDS * MEL_FRAMES);
    const answered = async (count: number) => {
      expect(lipSync.ask(face, mel, (pixels) => answers.push(pixels))).toBe(true);
      await expect.poll(() => answers.length).toBe(count);
    };
    await answered(1);
    lipSync.killForTesting();
    // Requests in between are not answered; their frames show the drawn mouth.
    lipSync.ask(face, mel, () => {});
    await expect
      .poll(() => {
        lipSync.ask(face, mel, (pixels) => answers.push(pixels));
        return answers.length;
      })
      .toBeGreaterThan(1);
    expect(answers.at(-1)).toEqual(answers[0]);
    expect(problems).toEqual([]);
    await lipSync.close();
  });
});

describe('A face with a lip-sync model', () => {
  async function mouthLuma(lipSync: LipSync, audio: Int16Array | null): Promise<number> {
    const avatar = grayAvatar();
    const renderer = new NeuralRenderer(avatar, lipSync);
    const target = packedFrame(720, 480);
    const track = new SpeechTrack();
    const painter = renderer.createPainter(target, track);
    if (audio !== null) track.add({ at: 0, pcm: audio });
    const at = 3 * FRAME_MS;
    // Frames are requested in advance. This one is shown as soon as the model has answered.
    const luma = () => {
      painter.anticipate?.(at);
      painter.paint(NEUTRAL_FACE);
      return target.planes[0][300 * 720 + 360]!;
    };
    if (audio !== null) await expect.poll(luma).not.toBe(150);
    const seen = luma();
    painter.close?.();
    renderer.close();
    return seen;
  }

  it('shows the mouth that the model makes of the sound, and its own in silence', async () => {
    const lipSync = openLipSync(modelPath, (message) => {
      throw new Error(message);
    });
    try {
      expect(await mouthLuma(lipSync, null)).toBe(150);
      const soft = await mouthLuma(lipSync, buzz(600, 30));
      const loud = await mouthLuma(lipSync, buzz(600, 30_000));
      expect(loud).toBeGreaterThan(soft + 3);
      expect(loud).toBeLessThan(150);
    } finally {
      lipSync.close();
    }
  });

  it('gives the model the face, its lower half hidden first', () => {
    const avatar = grayAvatar();
    const rect = faceRect(avatar);
    const input = faceInput(avatar, rect);
    const gray = ((150 - 16) * 1.164) / 255;
    const plane = 96 * 96;
    expect(input[10 * 96 + 48]).toBeCloseTo(gray, 2);
    expect(input[90 * 96 + 48]).toBe(0);
    expect(input[3 * plane + 90 * 96 + 48]).toBeCloseTo(gray, 2);
  });
});
