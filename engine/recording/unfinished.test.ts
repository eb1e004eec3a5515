import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVideoEncoder } from '../face/encode/av-encoder.ts';
import { SessionRecording } from './session-recording.ts';
import { cutBrokenFragment, recordingsIn } from './unfinished.ts';

const START = 1_790_000_000_000;
const FRAME_MS = 40;

interface Box {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

function boxesOf(file: Buffer): Box[] {
  const boxes: Box[] = [];
  for (let at = 0; at < file.length; at = boxes.at(-1)!.to)
    boxes.push({ name: file.toString('latin1', at + 4, at + 8), from: at, to: at + file.readUInt32BE(at) });
  return boxes;
}

// A disk was full in the middle of a fragment's index: nothing of the recording could be played, though a minute was there.
describe('a recording that ends in the middle', () => {
  let folder: string;
  let file: Buffer;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-unfinished-'));
    const path = join(folder, 'session.mp4');
    const where = { width: 160, height: 120 };
    const encoder = createVideoEncoder({ codec: 'h264', ...where, bitsPerSecond: 100_000, effort: 'live' });
    const recording = new SessionRecording({ path, ...where });
    for (let frame = 0; frame < 90; frame++) {
      encoder.frame.planes[0]?.fill(frame);
      const { data, keyframe } = encoder.encode(frame % 25 === 0);
      recording.frame(data, keyframe, 'h264', START + frame * FRAME_MS);
    }
    encoder.close();
    recording.close();
    file = readFileSync(path);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const found = (bytes: number) => {
    writeFileSync(join(folder, 'session.mp4'), file.subarray(0, bytes));
    return recordingsIn(folder);
  };

  it('can be played up to there, wherever that is behind its first second', () => {
    const [, , , firstFrames, ...later] = boxesOf(file);
    expect(firstFrames!.name).toBe('mdat');
    expect(later.map(({ name }) => name)).toContain('moof');
    for (const { name, from, to } of later)
      for (const bytes of new Set([from, from + 1, from + 8, from + 9, (from + to) >> 1, to - 1, to])) {
        const [recording] = found(bytes);
        expect(recording?.durationMs, `${bytes - from} bytes of ${name}`).toBeGreaterThanOrEqual(1_000);
      }
  });

  it('is left where nothing of it can be opened', () => {
    expect(() => cutBrokenFragment(join(folder, 'nobody.mp4'))).not.toThrow();
    expect(() => cutBrokenFragment(folder)).not.toThrow();
  });

  it('is none without a frame', () => {
    const [type, moov, index] = boxesOf(file);
    for (const bytes of [0, 5, type!.to, moov!.from + 100, moov!.to, index!.to - 1]) expect(found(bytes)).toEqual([]);
  });
});
