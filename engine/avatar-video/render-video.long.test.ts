import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFakeSynthesizer } from '../../models/fakes/index.ts';
import type { SpeechSynthesizer } from '../../models/ports.ts';
import { systemTimers } from '../../runtime/clock.ts';
import { packAvatar } from '../face/rendering/prepared-file.ts';
import { renderIdleVideo, renderVideo, type AvatarVideoRequest } from './render-video.ts';
import { tinyAvatar } from './testing/tiny-avatar.ts';

const prepared = packAvatar(tinyAvatar());
let dir: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'parley-video-'));
  path = join(dir, 'video.mp4');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function render(
  script: string,
  options: Partial<AvatarVideoRequest> & { synthesizer?: SpeechSynthesizer; disclosureText?: string } = {},
) {
  const {
    synthesizer = createFakeSynthesizer({ phonemes: true, wordMs: 400, gapMs: 400 }),
    disclosureText = null,
    ...more
  } = options;
  const request: AvatarVideoRequest = {
    script,
    engineKey: 'tiny',
    width: 160,
    height: 96,
    provider: 'FAKE',
    providerVoiceId: 'tone',
    language: 'en',
    tuning: {},
    disclosure: false,
    acts: true,
    expressivity: 0,
    baselineStyle: null,
    path,
    signal: new AbortController().signal,
    ...more,
  };
  return renderVideo(request, { synthesizer, timers: systemTimers, prepared, disclosureText });
}

const ffmpeg = (...args: string[]): Buffer =>
  execFileSync('ffmpeg', ['-v', 'error', '-i', path, ...args, 'pipe:1'], { maxBuffer: 1 << 28 });
const probe = (...entries: string[]) =>
  JSON.parse(execFileSync('ffprobe', ['-v', 'error', '-show_entries', ...entries, '-of', 'json', path]).toString()) as {
    format: { duration: string };
    streams: { codec_name: string; profile: string; r_frame_rate: string; nb_frames: string; duration: string }[];
  };

/** Brightness of the mouth, frame by frame. */
function mouths(): number[] {
  const frame = 8 * 8;
  const bytes = ffmpeg('-an', '-vf', 'crop=16:8:72:60,scale=8:8', '-f', 'rawvideo', '-pix_fmt', 'gray');
  return Array.from(
    { length: bytes.length / frame },
    (_, i) => bytes.subarray(i * frame, (i + 1) * frame).reduce((sum, value) => sum + value, 0) / frame,
  );
}

/** Loudness of each frame's 40 ms. */
function loudness(): number[] {
  const bytes = ffmpeg('-vn', '-f', 's16le', '-ar', '48000', '-ac', '1');
  const pcm = new Int16Array(
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length - (bytes.length % 2)),
  );
  return Array.from({ length: Math.floor(pcm.length / 1920) }, (_, i) =>
    Math.max(...pcm.subarray(i * 1920, (i + 1) * 1920).map(Math.abs)),
  );
}

test('a script becomes an MP4 that browsers play from its first bytes on', async () => {
  const shares: number[] = [];
  const { durationMs, bytes } = await render('One two three. Four five.\n\nSix.', {
    onProgress: (share) => shares.push(share),
  });
  const { streams, format } = probe('stream=codec_name,profile,r_frame_rate,nb_frames,duration:format=duration');
  expect(streams.map(({ codec_name: name }) => name)).toEqual(['h264', 'aac']);
  expect(streams[0]).toMatchObject({ profile: 'High', r_frame_rate: '25/1', nb_frames: String(durationMs / 40) });
  expect(Number(format.duration)).toBeCloseTo(durationMs / 1000, 1);
  const file = execFileSync('head', ['-c', '64', path]);
  expect(file.indexOf('moov')).toBeGreaterThan(0);
  expect(bytes).toBeGreaterThan(1000);
  expect(shares.length).toBeGreaterThan(3);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(ffmpeg('-f', 'null').toString()).toBe('');
});

test('the mouth opens with the sound and closes with it, to the frame', async () => {
  await render('One two three.');
  const open = mouths().map((brightness) => brightness > 90);
  const loud = loudness().map((peak) => peak > 3000);
  const starts = (flags: boolean[]) => flags.flatMap((flag, i) => (flag && !flags[i - 1] ? [i] : []));
  const [heard, seen] = [starts(loud), starts(open)];
  expect(heard).toHaveLength(3);
  expect(seen).toHaveLength(3);
  // The lips part up to a frame and a half before the sound: so people do.
  heard.forEach((at, i) => expect(at - seen[i]!).toBeOneOf([0, 1, 2]));
});

test('the face is seen before and after it speaks', async () => {
  await render('One.');
  const loud = loudness();
  expect(loud.findIndex((peak) => peak > 3000)).toBe(20);
  expect(loud.length - 1 - loud.findLastIndex((peak) => peak > 3000)).toBeGreaterThanOrEqual(25);
});

test('the same script gives the same frames', async () => {
  await render('One two.');
  const first = mouths();
  await render('One two.');
  expect(mouths()).toEqual(first);
});

test('every frame carries the disclosure when asked', async () => {
  await render('One.', { disclosureText: 'AI avatar' });
  const corner = 8 * 2;
  const bytes = ffmpeg('-an', '-vf', 'crop=40:4:2:2,scale=8:2', '-f', 'rawvideo', '-pix_fmt', 'gray');
  const dark = Array.from(
    { length: bytes.length / corner },
    (_, i) => bytes.subarray(i * corner, (i + 1) * corner).reduce((sum, value) => sum + value, 0) / corner,
  );
  expect(Math.max(...dark)).toBeLessThan(115);
});

test('a cancelled video stops, and leaves no file', async () => {
  const cancel = new AbortController();
  const video = render('One two three four five six seven eight nine ten. '.repeat(40), {
    signal: cancel.signal,
    onProgress: () => cancel.abort(new Error('cancelled')),
  });
  await expect(video).rejects.toThrow('cancelled');
  expect(existsSync(path)).toBe(false);
});

test('a script with nothing to say, a voice that cannot, a file that cannot be written: each says why', async () => {
  await expect(render('🎉')).rejects.toThrow('nothing to say');
  const broken: SpeechSynthesizer = {
    name: 'broken',
    family: 'local',
    close: async () => {},
    async *synthesize() {
      yield { pcm: new Int16Array(10), sampleRate: 1 };
    },
  };
  await expect(render('One.', { synthesizer: broken })).rejects.toThrow('Cannot resample from 1 Hz');
  await expect(render('One two three four five.', { path: join(dir, 'missing', 'video.mp4') })).rejects.toThrow(
    'opening the file',
  );
});

test('a voice that fails is asked again', async () => {
  let calls = 0;
  const fake = createFakeSynthesizer();
  const moody: SpeechSynthesizer = {
    ...fake,
    synthesize(request, signal) {
      calls += 1;
      if (calls === 1) throw new Error('busy');
      return fake.synthesize(request, signal);
    },
  };
  await render('One.', { synthesizer: moody });
  expect(calls).toBe(2);
});

test('a face that waits ends as it begins, moves in between, and says nothing', async () => {
  const { durationMs, bytes } = await renderIdleVideo(
    { engineKey: 'tiny', width: 160, height: 96, disclosure: false, path, signal: new AbortController().signal },
    { prepared, disclosureText: null },
  );
  const { streams, format } = probe('stream=codec_name,profile,r_frame_rate,nb_frames,duration:format=duration');
  expect(streams.map(({ codec_name: name, nb_frames: frames }) => [name, Number(frames)])).toEqual([
    ['h264', durationMs / 40],
  ]);
  expect(Number(format.duration)).toBeCloseTo(durationMs / 1000, 1);
  expect(bytes).toBeGreaterThan(1000);
  const size = 160 * 96;
  const frames = ffmpeg('-f', 'rawvideo', '-pix_fmt', 'gray');
  const frame = (index: number): Buffer => frames.subarray(index * size, (index + 1) * size);
  const difference = (a: Buffer, b: Buffer): number =>
    a.reduce((sum, value, at) => sum + Math.abs(value - b[at]!), 0) / size;
  const last = frames.length / size - 1;
  const moved = Math.max(...Array.from({ length: last }, (_, index) => difference(frame(0), frame(index))));
  expect(difference(frame(0), frame(last))).toBeLessThan(moved / 4);
});

test('a video of a face that waits can be given up, and leaves nothing', async () => {
  const stop = new AbortController();
  const composer = renderIdleVideo(
    { engineKey: 'tiny', width: 160, height: 96, disclosure: true, path, signal: stop.signal },
    { prepared, disclosureText: 'AI avatar' },
  );
  stop.abort(new Error('not wanted any more'));
  await expect(composer).rejects.toThrow('not wanted any more');
  expect(existsSync(path)).toBe(false);
});
