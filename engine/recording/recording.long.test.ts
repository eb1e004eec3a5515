import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createVideoEncoder } from '../face/encode/av-encoder.ts';
import { SessionRecording } from './session-recording.ts';

const FRAME_MS = 40;
const START = 1_790_000_000_000;

interface Probe {
  readonly streams: readonly { codec_name: string; nb_read_frames: string; width?: number }[];
  readonly frames: readonly { pts_time: string; media_type: string }[];
}
const probe = (file: string): Probe =>
  JSON.parse(
    execFileSync(
      'ffprobe',
      [
        '-v',
        'error',
        '-count_frames',
        '-show_streams',
        '-show_entries',
        'frame=pts_time,media_type',
        '-of',
        'json',
        file,
      ],
      { maxBuffer: 1 << 26 },
    ).toString(),
  ) as Probe;
const decodeErrors = (file: string): string =>
  execFileSync('ffmpeg', ['-v', 'error', '-i', file, '-f', 'null', '-'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  }).toString();

/** A second of a 440 Hz tone, in packets of 20 ms. */
const tone = Int16Array.from({ length: 960 }, (_, i) => Math.round(8000 * Math.sin((2 * Math.PI * 440 * i) / 48_000)));

describe('a recording', () => {
  let dir: string;
  beforeEach(() => (dir = mkdtempSync(join(tmpdir(), 'parley-recording-'))));
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  it.each(['h264', 'vp8'] as const)('holds every frame at its time and both voices, with %s', (codec) => {
    const path = join(dir, 'session.mp4');
    const encoder = createVideoEncoder({ codec, width: 320, height: 240, bitsPerSecond: 500_000, effort: 'live' });
    const recording = new SessionRecording({ path, width: 320, height: 240 });
    const times: number[] = [];
    for (let frame = 0; frame < 75; frame++) {
      encoder.frame.planes[0]?.fill(frame * 3);
      const { data, keyframe } = encoder.encode(frame % 50 === 0);
      // A frame that comes late keeps its time.
      const at = frame * FRAME_MS + (frame === 40 ? 7 : 0);
      times.push(at);
      recording.frame(data, keyframe, codec, START + at);
      for (const half of [0, 20]) {
        recording.audio('persona', tone, START + frame * FRAME_MS + half);
        recording.audio('user', tone, START + frame * FRAME_MS + half + 3);
      }
    }
    encoder.close();
    const closed = recording.close();
    expect(closed?.durationMs).toBe(74 * FRAME_MS);
    expect(decodeErrors(path)).toBe('');
    const { streams, frames } = probe(path);
    expect(streams.map((s) => s.codec_name)).toEqual(['h264', 'aac']);
    expect(streams[0]?.nb_read_frames).toBe('75');
    const frameTimes = frames.filter((f) => f.media_type === 'video').map((f) => Math.round(Number(f.pts_time) * 1000));
    const first = frameTimes[0] ?? 0;
    expect(frameTimes.map((at) => at - first)).toEqual(times);
  });

  it('begins with the first keyframe and is nothing without one', () => {
    const recording = new SessionRecording({ path: join(dir, 'none.mp4'), width: 320, height: 240 });
    recording.frame(Uint8Array.of(1, 2, 3), false, 'vp8', START);
    recording.audio('user', tone, START);
    expect(recording.close()).toBeNull();
  });

  it('is given up with an error when it cannot be written', () => {
    const encoder = createVideoEncoder({
      codec: 'vp8',
      width: 320,
      height: 240,
      bitsPerSecond: 500_000,
      effort: 'live',
    });
    const { data } = encoder.encode(true);
    encoder.close();
    const recording = new SessionRecording({ path: join(dir, 'missing', 'session.mp4'), width: 320, height: 240 });
    expect(() => recording.frame(data, true, 'vp8', START)).toThrow(/opening the file/);
  });

  it('can be played after its process was killed', async () => {
    const path = join(dir, 'killed.mp4');
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'testing/record-until-killed.ts'), path],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    // It reports when it has written 100 frames.
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(decodeErrors(path)).toBe('');
    expect(Number(probe(path).streams[0]?.nb_read_frames)).toBeGreaterThanOrEqual(50);
  });
});
