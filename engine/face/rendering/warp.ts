import { readFileSync } from 'node:fs';
import { i420Bytes } from './i420.ts';
import type { Rect } from './i420.ts';

/** Distance between the nodes of a displacement field, in luma pixels. Fixed by warp.as. */
export const FIELD_CELL = 8;
/** Field values are in 1/64 of a luma pixel. */
export const FIELD_UNIT = 64;

export function fieldColumns(width: number): number {
  return width / FIELD_CELL + 1;
}

export function fieldRows(height: number): number {
  return height / FIELD_CELL + 1;
}

/** The few parts of the WebAssembly interface that are used here: Node's own types omit it. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

interface WarpExports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  warpPlane(
    src: number,
    dst: number,
    stride: number,
    height: number,
    x0: number,
    y0: number,
    x1: number,
    y1: number,
    field: number,
    nodesPerRow: number,
    chroma: number,
  ): void;
}

const module = new WebAssembly.Module(readFileSync(new URL('warp.wasm', import.meta.url)));
const PAGE_BYTES = 65_536;
/** Reading eight pixels from the last one may touch this many bytes behind the frame. */
const GUARD_BYTES = 64;

/**
 * Frames of one size and the kernel that moves one into the other: `source` → `result`, both packed I420, by `field`
 * (pairs of dx, dy per node: result pixel p shows source pixel p + d). The arrays are in the kernel's memory.
 */
export class Warp {
  readonly source: Uint8Array;
  readonly result: Uint8Array;
  readonly field: Int16Array;
  readonly #exports: WarpExports;
  readonly #width: number;
  readonly #height: number;
  readonly #sourceAt: number;
  readonly #resultAt: number;
  readonly #fieldAt: number;

  /** @param width multiple of 16. @param height multiple of 16. */
  constructor(width: number, height: number) {
    if (width % 16 !== 0 || height % 16 !== 0)
      throw new RangeError(`A frame of ${width}×${height} cannot be warped: sizes are multiples of 16.`);
    this.#width = width;
    this.#height = height;
    this.#exports = new WebAssembly.Instance(module).exports as WarpExports;
    const bytes = i420Bytes(width, height);
    const nodes = fieldColumns(width) * fieldRows(height);
    this.#sourceAt = PAGE_BYTES;
    this.#resultAt = this.#sourceAt + bytes + GUARD_BYTES;
    this.#fieldAt = this.#resultAt + bytes + GUARD_BYTES;
    const end = this.#fieldAt + nodes * 4 + GUARD_BYTES;
    this.#exports.memory.grow(Math.ceil(end / PAGE_BYTES));
    const memory = this.#exports.memory.buffer;
    this.source = new Uint8Array(memory, this.#sourceAt, bytes);
    this.result = new Uint8Array(memory, this.#resultAt, bytes);
    this.field = new Int16Array(memory, this.#fieldAt, nodes * 2);
  }

  /** Redraws a part of `result`. @param rect multiples of 16. */
  run(rect: Rect): void {
    const { warpPlane } = this.#exports;
    const w = this.#width;
    const h = this.#height;
    const nodes = fieldColumns(w);
    warpPlane(
      this.#sourceAt,
      this.#resultAt,
      w,
      h,
      rect.x,
      rect.y,
      rect.x + rect.width,
      rect.y + rect.height,
      this.#fieldAt,
      nodes,
      0,
    );
    const x0 = rect.x / 2;
    const y0 = rect.y / 2;
    const x1 = x0 + rect.width / 2;
    const y1 = y0 + rect.height / 2;
    let plane = w * h;
    for (let i = 0; i < 2; i++) {
      warpPlane(this.#sourceAt + plane, this.#resultAt + plane, w / 2, h / 2, x0, y0, x1, y1, this.#fieldAt, nodes, 1);
      plane += (w * h) / 4;
    }
  }
}
