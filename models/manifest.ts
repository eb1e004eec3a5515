/**
 * Model files that Parley does not ship and that can be fetched from their publishers. Nothing here is needed: without
 * them Parley works with what is inside its packages.
 */
export interface ModelFile {
  /** What it is good for; also the name by which it is asked for. */
  readonly purpose: 'noise' | 'end-of-turn';
  readonly name: string;
  readonly version: string;
  /** Name on disk. */
  readonly fileName: string;
  readonly url: string;
  /** Lower-case hex; null where it is not known yet: such a file can be fetched but not verified. */
  readonly sha256: string | null;
  readonly bytes: number | null;
  /** SPDX identifier. */
  readonly license: string;
  /** Where the publisher describes it. */
  readonly home: string;
}

export const MODEL_FILES: readonly ModelFile[] = [
  {
    purpose: 'noise',
    name: 'GTCRN, streaming',
    version: '3862c44',
    fileName: 'gtcrn_simple.onnx',
    url: 'https://github.com/Xiaobin-Rong/gtcrn/raw/3862c44/stream/onnx_models/gtcrn_simple.onnx',
    sha256: 'b4718df6228e7bdf1a8a435cf98f838636eb2fd331acabf86ba87c5192ebcb87',
    bytes: 535_190,
    license: 'MIT',
    home: 'https://github.com/Xiaobin-Rong/gtcrn',
  },
  {
    purpose: 'end-of-turn',
    name: 'smart-turn',
    version: '3.2',
    fileName: 'smart-turn-v3.2-cpu.onnx',
    url: 'https://huggingface.co/pipecat-ai/smart-turn-v3/resolve/main/smart-turn-v3.2-cpu.onnx',
    sha256: null,
    bytes: null,
    license: 'BSD-2-Clause',
    home: 'https://github.com/pipecat-ai/smart-turn',
  },
];
