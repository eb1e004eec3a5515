import { join } from 'node:path';
import type { NoiseFilter } from '../ports.ts';
import { FourierTransform } from '../fourier.ts';
import { floatTensor, floatsOf, loadOnnxGraph } from '../onnx.ts';
import type { OnnxGraph } from '../onnx.ts';
import { DelayLine, dryShare, mixDry } from './dry-mix.ts';
import type { NoiseFilters, NoiseProvider } from './noise-provider.ts';

const SAMPLE_RATE = 16_000;
const HOP_SAMPLES = 256;
const FFT_SAMPLES = 512;
const BINS = FFT_SAMPLES / 2 + 1;
/** Overlapping windows answer one hop late. */
const DELAY_SAMPLES = HOP_SAMPLES;
/** The model's memory, by input name; its outputs are named with `_out` behind. */
const CACHES = { conv_cache: [2, 1, 16, 16, 33], tra_cache: [2, 3, 1, 1, 16], inter_cache: [2, 1, 33, 16] } as const;

/** Square root of a Hann window: applied before and after, the overlapping halves add up to one. */
const WINDOW = Float64Array.from({ length: FFT_SAMPLES }, (_, i) =>
  Math.sqrt(0.5 - 0.5 * Math.cos((2 * Math.PI * i) / FFT_SAMPLES)),
);

export const gtcrn: NoiseProvider = {
  id: 'gtcrn',
  about: 'needs its model file, which `--models` fetches',
  load: ({ modelsDir }) => loadGtcrn(join(modelsDir, 'gtcrn_simple.onnx')),
};

/**
 * GTCRN's streaming graph (MIT): 0.5 ms per 16 ms hop, better than RNNoise on steady noise.
 * One graph serves all sessions of a thread; each filter has its own caches.
 * @param path of `gtcrn_simple.onnx`. @throws when the file is missing or another model.
 */
export function loadGtcrn(path: string): NoiseFilters {
  const graph = loadOnnxGraph(path);
  for (const name of ['mix', ...Object.keys(CACHES)]) {
    if (!graph.inputs.includes(name))
      throw new Error(`${path} is not a streaming GTCRN model: it has no input "${name}".`);
  }
  return { createFilter: () => new GtcrnFilter(graph) };
}

class GtcrnFilter implements NoiseFilter {
  readonly sampleRate = SAMPLE_RATE;
  readonly frameSamples = HOP_SAMPLES;
  readonly #graph: OnnxGraph;
  readonly #fourier = new FourierTransform(FFT_SAMPLES);
  readonly #delay = new DelayLine(DELAY_SAMPLES);
  readonly #dry = new Float32Array(HOP_SAMPLES);
  readonly #input = new Float64Array(FFT_SAMPLES);
  readonly #overlap = new Float64Array(FFT_SAMPLES);
  readonly #spectrum = new Float32Array(BINS * 2);
  readonly #a = complex();
  readonly #b = complex();
  readonly #caches = new Map<string, Float32Array>();

  constructor(graph: OnnxGraph) {
    this.#graph = graph;
    for (const [name, dims] of Object.entries(CACHES)) this.#caches.set(name, new Float32Array(product(dims)));
  }

  process(frame: Float32Array, strength: number): void {
    if (strength <= 0) return;
    this.#delay.exchange(frame, this.#dry);
    this.#analyse(frame);
    this.#enhance();
    this.#synthesize(frame);
    mixDry(frame, this.#dry, dryShare(strength));
  }

  /** The graph is shared; there is nothing of one filter's own to free. */
  close(): void {}

  #analyse(frame: Float32Array): void {
    this.#input.copyWithin(0, HOP_SAMPLES);
    this.#input.set(frame, HOP_SAMPLES);
    for (let i = 0; i < FFT_SAMPLES; i++) this.#a.re[i] = (this.#input[i] as number) * (WINDOW[i] as number);
    this.#a.im.fill(0);
    this.#fourier.forward(this.#a.re, this.#a.im, this.#b.re, this.#b.im);
    for (let bin = 0; bin < BINS; bin++) {
      this.#spectrum[2 * bin] = this.#b.re[bin] as number;
      this.#spectrum[2 * bin + 1] = this.#b.im[bin] as number;
    }
  }

  #enhance(): void {
    const feeds = { mix: floatTensor(this.#spectrum, [1, BINS, 1, 2]) };
    for (const [name, dims] of Object.entries(CACHES))
      Object.assign(feeds, { [name]: floatTensor(this.#caches.get(name) as Float32Array, dims) });
    const results = this.#graph.run(feeds);
    for (const [name, cache] of this.#caches) cache.set(floatsOf(results, `${name}_out`));
    this.#spectrum.set(floatsOf(results, 'enh'));
  }

  #synthesize(frame: Float32Array): void {
    for (let bin = 0; bin < BINS; bin++) {
      this.#b.re[bin] = this.#spectrum[2 * bin] as number;
      this.#b.im[bin] = this.#spectrum[2 * bin + 1] as number;
    }
    // A real signal's upper half mirrors the lower one.
    for (let bin = BINS; bin < FFT_SAMPLES; bin++) {
      this.#b.re[bin] = this.#b.re[FFT_SAMPLES - bin] as number;
      this.#b.im[bin] = -(this.#b.im[FFT_SAMPLES - bin] as number);
    }
    this.#fourier.inverse(this.#b.re, this.#b.im, this.#a.re, this.#a.im);
    this.#overlap.copyWithin(0, HOP_SAMPLES);
    this.#overlap.fill(0, HOP_SAMPLES);
    for (let i = 0; i < FFT_SAMPLES; i++)
      this.#overlap[i] = (this.#overlap[i] as number) + (this.#a.re[i] as number) * (WINDOW[i] as number);
    for (let i = 0; i < HOP_SAMPLES; i++) frame[i] = this.#overlap[i] as number;
  }
}

function product(dims: readonly number[]): number {
  return dims.reduce((a, b) => a * b, 1);
}

function complex(): { re: Float64Array; im: Float64Array } {
  return { re: new Float64Array(FFT_SAMPLES), im: new Float64Array(FFT_SAMPLES) };
}
