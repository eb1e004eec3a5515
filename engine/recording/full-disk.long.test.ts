import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVideoEncoder } from '../face/encode/av-encoder.ts';
import { createRecording, type RecordedFile, type Recording } from './index.ts';
import { eventually } from '../testing/eventually.ts';

const START = 1_790_000_000_000;
const log = pino({ level: 'silent' });

function makesFileSystems(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'true']);
    return process.getuid?.() === 0;
  } catch {
    return false;
  }
}

/**
 * Two failures are tested: a recorder that throws on a full disk ends its session, and one that reports nothing loses
 * the recording unnoticed.
 */
describe.skipIf(!makesFileSystems())('on a full disk', () => {
  let small: string;
  let roomy: string;
  const recordings: Recording[] = [];

  beforeAll(() => {
    small = mkdtempSync(join(tmpdir(), 'parley-small-disk-'));
    roomy = mkdtempSync(join(tmpdir(), 'parley-disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', small]);
  });
  afterAll(async () => {
    await Promise.all(recordings.map((recording) => recording.close()));
    execFileSync('umount', [small]);
    rmSync(small, { recursive: true, force: true });
    rmSync(roomy, { recursive: true, force: true });
  });

  it('a recording says that it stopped and keeps what was written, and others are finished', async () => {
    const told: string[] = [];
    const files: RecordedFile[] = [];
    const open = (folder: string) => {
      const recording = createRecording({ folder, log });
      recordings.push(recording);
      return recording.open({
        sessionId: 'session',
        width: 320,
        height: 240,
        handlers: { finished: (file) => files.push(file), failed: (message) => told.push(message) },
      });
    };
    const onSmall = open(small);
    const onRoomy = open(roomy);
    const encoder = createVideoEncoder({
      codec: 'h264',
      width: 320,
      height: 240,
      bitsPerSecond: 8_000_000,
      effort: 'live',
    });
    for (let frame = 0; frame < 250; frame++) {
      const [luma] = encoder.frame.planes;
      // Noise, which an encoder cannot compress well.
      for (let i = 0; i < luma.length; i++) luma[i] = (i * 7919 + frame * 104_729) % 251;
      const { data, keyframe } = encoder.encode(frame % 25 === 0);
      for (const stream of [onSmall, onRoomy]) stream.frame({ data, keyframe, at: START + frame * 40 }, 'h264');
    }
    encoder.close();
    await eventually(() => expect(told).toEqual(['The recording stopped: it could not be written.']));
    onSmall.close();
    onRoomy.close();
    const durationIn = (folder: string): number => files.find(({ path }) => path.startsWith(folder))?.durationMs ?? 0;
    await eventually(() => expect(durationIn(roomy)).toBe(249 * 40));
    expect(durationIn(small)).toBeGreaterThan(0);
    expect(durationIn(small)).toBeLessThan(249 * 40);
  });
});
