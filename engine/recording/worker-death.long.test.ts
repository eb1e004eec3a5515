import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, expect, it } from 'vitest';
import { createVideoEncoder } from '../face/encode/av-encoder.ts';
import { createRecording, type RecordedFile } from './index.ts';

const START = 1_790_000_000_000;
const folder = mkdtempSync(join(tmpdir(), 'parley-recording-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('recordings stop, and say so once, when their worker dies; the next one is recorded to its end', async () => {
  const recording = createRecording({ folder, log: pino({ level: 'silent' }) });
  const told: string[] = [];
  const files: RecordedFile[] = [];
  const record = (sessionId: string) => {
    const handlers = {
      finished: (file: RecordedFile) => files.push(file),
      failed: (message: string) => told.push(`${sessionId}: ${message}`),
    };
    const stream = recording.open({ sessionId, width: 320, height: 240, handlers });
    const encoder = createVideoEncoder({
      codec: 'vp8',
      width: 320,
      height: 240,
      bitsPerSecond: 500_000,
      effort: 'live',
    });
    for (let frame = 0; frame < 25; frame++) {
      const { data, keyframe } = encoder.encode(frame === 0);
      stream.frame({ data, keyframe, at: START + frame * 40 }, 'vp8');
    }
    encoder.close();
    return stream;
  };
  const first = record('first');
  recording.killForTesting();
  await expect.poll(() => told).toEqual(['first: The recording stopped.']);
  first.close();

  record('second').close();
  await expect
    .poll(() => files.map(({ path, durationMs }) => [path, durationMs]))
    .toEqual([[join(folder, 'second.mp4'), 24 * 40]]);
  // A recording that is still open is finished when everything ends.
  record('third');
  await recording.close();
  expect(files.map(({ path }) => path)).toContain(join(folder, 'third.mp4'));
  expect(told).toHaveLength(1);
});
