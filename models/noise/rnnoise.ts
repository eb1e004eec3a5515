import { readFileSync } from 'node:fs';
import type { NoiseFilter } from '../ports.ts';
import { packageFile } from '../package-file.ts';
import { DelayLine, dryShare, mixDry } from './dry-mix.ts';
import type { NoiseFilters, NoiseProvider } from './noise-provider.ts';

const SAMPLE_RATE = 48_000;
/** 10 ms, fixed by the model. */
const FRAME_SAMPLES = 480;
/** RNNoise's output lags its input by one frame (its window overlaps by half). */
const DELAY_SAMPLES = 480;
/** RNNoise wants samples on the scale of 16-bit integers. */
const INTEGER_SCALE = 32_768;
const BYTES_PER_SAMPLE = 4;
const PAGE_BYTES = 65_536;

interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** The compiler's library for Node does not describe WebAssembly. */
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: {
    Module: new (bytes: Uint8Array) => object;
    Instance: new (
      module: object,
      imports: Record<string, Record<string, (...args: number[]) => unknown>>,
    ) => { readonly exports: unknown };
  };
};

/** What the WebAssembly module exports of itself. */
interface RnnoiseExports {
  readonly memory: WasmMemory;
  __wasm_call_ctors(): void;
  rnnoise_create(model: number): number;
  rnnoise_destroy(state: number): void;
  rnnoise_process_frame(state: number, output: number, input: number): number;
  malloc(bytes: number): number;
  free(pointer: number): void;
}

export const rnnoise: NoiseProvider = { id: 'rnnoise', about: 'comes with Parley', load: () => loadRnnoise() };

/**
 * RNNoise 0.1 (BSD-3-Clause, SIMD build of an MIT package): 0.08 ms per 10 ms frame.
 * One loaded module serves all sessions of a thread; each filter has a state of its own inside.
 * @throws when the file is not installed or this machine's WebAssembly lacks SIMD.
 */
export function loadRnnoise(
  path = packageFile('@sapphi-red/web-noise-suppressor', 'dist/rnnoise_simd.wasm'),
): NoiseFilters {
  const wasm = instantiate(readFileSync(path));
  return { createFilter: () => createFilter(wasm) };
}

function instantiate(bytes: Uint8Array): RnnoiseExports {
  let memory: WasmMemory | null = null;
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), {
    env: {
      emscripten_memcpy_big: (to = 0, from = 0, count = 0) => {
        new Uint8Array((memory as WasmMemory).buffer).copyWithin(to, from, from + count);
      },
      emscripten_resize_heap: (wanted = 0) => grow(memory as WasmMemory, wanted >>> 0),
      __assert_fail: () => {
        throw new Error('RNNoise refused its input.');
      },
    },
  });
  const wasm = instance.exports as RnnoiseExports;
  memory = wasm.memory;
  wasm.__wasm_call_ctors();
  return wasm;
}

/** @returns 1 when the memory has the wanted size now, else 0: what emscripten's malloc expects. */
function grow(memory: WasmMemory, wantedBytes: number): number {
  try {
    memory.grow(Math.ceil((wantedBytes - memory.buffer.byteLength) / PAGE_BYTES));
    return 1;
  } catch {
    return 0;
  }
}

function createFilter(wasm: RnnoiseExports): NoiseFilter {
  const state = wasm.rnnoise_create(0);
  const frameAt = wasm.malloc(FRAME_SAMPLES * BYTES_PER_SAMPLE);
  if (state === 0 || frameAt === 0) throw new Error('No memory for another RNNoise filter.');
  const delay = new DelayLine(DELAY_SAMPLES);
  const dry = new Float32Array(FRAME_SAMPLES);
  let life: 'open' | 'closed' = 'open';
  return {
    sampleRate: SAMPLE_RATE,
    frameSamples: FRAME_SAMPLES,
    process(frame, strength) {
      if (life === 'closed' || strength <= 0) return;
      delay.exchange(frame, dry);
      // A fresh view each time: the memory moves when another filter makes it grow.
      const shared = new Float32Array(wasm.memory.buffer, frameAt, FRAME_SAMPLES);
      for (let i = 0; i < FRAME_SAMPLES; i++) shared[i] = (frame[i] as number) * INTEGER_SCALE;
      wasm.rnnoise_process_frame(state, frameAt, frameAt);
      for (let i = 0; i < FRAME_SAMPLES; i++) frame[i] = (shared[i] as number) / INTEGER_SCALE;
      mixDry(frame, dry, dryShare(strength));
    },
    close() {
      if (life === 'closed') return;
      life = 'closed';
      wasm.rnnoise_destroy(state);
      wasm.free(frameAt);
    },
  };
}
