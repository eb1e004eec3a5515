import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { expect, it } from 'vitest';
import { testConfig } from '../../../actors/testing/session-config.ts';
import { createFakeSynthesizer, fakeRecognizer } from '../../../models/fakes/index.ts';
import { engineNow, systemTimers } from '../../../runtime/clock.ts';
import { createFace } from '../../face/index.ts';
import { createAudioIn } from '../../audio-in/index.ts';
import type { Transport } from '../../ports.ts';
import { createRecording } from '../../recording/index.ts';
import { createTransport } from '../../transport/index.ts';
import { depacketizeH264, depacketizeVp8 } from '../../transport/testing/depacketize.ts';
import { openLoopbackClient, type ReceivedPacket } from '../../transport/testing/loopback-client.ts';
import { createAudioOut } from '../../audio-out/index.ts';
import { silencePacket } from '../../audio-out/encode/silence-packet.ts';
import { openMedia } from './session-media.ts';
import { eventually } from '../../testing/eventually.ts';

const log = pino({ level: 'silent' });
const [WIDTH, HEIGHT] = [720, 480];
/** Where the face is in the frame. */
const FACE = 'crop=iw/3:ih/2:iw/3:ih/4';
const SMALL = { width: 160, height: 160 };
const SAMPLE_RATE = 48_000;
/** RTP and MP4 both use 90,000 units a second; each rounds by itself. */
const TICK_MS = 1 / 90;
/** Loud, of ±1: the fake voice has 0.36. */
const VOICED = 0.1;
/** A period of the voice's tone, plus a little for the attack, which a codec blurs. */
const AUDIO_ERROR_MS = 8;
/** Mean difference of a recorded frame, of 255: H.264 is kept as it is, VP8 is encoded again. */
const LOSS = { h264: 0, vp8: 2 } as const;
/** A smaller difference cannot be measured after another encoding. */
const CODEC_NOISE = { h264: 0, vp8: 0.25 } as const;

interface ShownFrame {
  /** RTP time, ms. */
  readonly at: number;
  readonly data: Buffer;
}

/** @returns the complete frames, in order, from the first keyframe on. */
function shownFrames(packets: readonly ReceivedPacket[], codec: 'h264' | 'vp8'): ShownFrame[] {
  const byTime = Map.groupBy(
    packets.filter(({ payload }) => payload.length > 0),
    ({ timestamp }) => timestamp,
  );
  const frames = [...byTime.values()].map((parts) => {
    expect((parts.at(-1)!.sequence - parts[0]!.sequence) & 0xffff, 'packets of a frame').toBe(parts.length - 1);
    const payloads = parts.map(({ payload }) => payload);
    const units = codec === 'h264' ? depacketizeH264(payloads) : [];
    const data =
      codec === 'h264'
        ? Buffer.concat(units.flatMap((unit) => [Buffer.from([0, 0, 0, 1]), unit]))
        : depacketizeVp8(payloads);
    const keyframe = codec === 'h264' ? units.some((unit) => (unit[0]! & 0x1f) === 5) : (data[0]! & 1) === 0;
    return { at: parts[0]!.timestamp * TICK_MS, data, keyframe };
  });
  return frames.slice(frames.findIndex(({ keyframe }) => keyframe));
}

/** Decodes with ffmpeg: the face, small and gray. */
function grayFrames(file: string): Buffer[] {
  const raw = execFileSync(
    'ffmpeg',
    [
      '-v',
      'error',
      '-i',
      file,
      '-map',
      '0:v',
      '-fps_mode',
      'passthrough',
      '-vf',
      `${FACE},scale=${SMALL.width}:${SMALL.height}:flags=area`,
      '-pix_fmt',
      'gray',
      '-f',
      'rawvideo',
      '-',
    ],
    { maxBuffer: 1 << 28 },
  );
  const bytes = SMALL.width * SMALL.height;
  return Array.from({ length: raw.length / bytes }, (_, i) => raw.subarray(i * bytes, (i + 1) * bytes));
}

function difference(a: Buffer, b: Buffer): number {
  return a.reduce((sum, value, i) => sum + Math.abs(value - b[i]!), 0) / a.length;
}

function streamFile(frames: readonly ShownFrame[], codec: 'h264' | 'vp8'): Buffer {
  if (codec === 'h264') return Buffer.concat(frames.map(({ data }) => data));
  const header = Buffer.alloc(32);
  header.write('DKIF\0\0\x20\0VP80', 'latin1');
  for (const [value, at] of [
    [WIDTH, 12],
    [HEIGHT, 14],
  ] as const)
    header.writeUInt16LE(value, at);
  for (const [value, at] of [
    [25, 16],
    [1, 20],
    [frames.length, 24],
  ] as const)
    header.writeUInt32LE(value, at);
  return Buffer.concat([
    header,
    ...frames.flatMap(({ data }, i) => {
      const place = Buffer.alloc(12);
      place.writeUInt32LE(data.length, 0);
      place.writeUInt32LE(i, 4);
      return [place, data];
    }),
  ]);
}

/** The features that identify a frame. */
function endingOf(data: Uint8Array): string {
  return Buffer.from(data.subarray(-24)).toString('hex');
}

/** A session that speaks while a client watches. */
async function speakAndRecord(codec: 'h264' | 'vp8', dir: string) {
  const transport = await createTransport({
    publicAddress: '127.0.0.1',
    udpPort: 0,
    videoCodecs: [codec],
    log,
  });
  const face = createFace({ cacheDir: join(dir, 'avatars'), workers: 1, log });
  const audioIn = createAudioIn({ recognizers: [fakeRecognizer({ utterances: [] })], log });
  const audioOut = createAudioOut({
    synthesizers: { fake: createFakeSynthesizer({ phonemes: true }) },
    timers: systemTimers,
    log,
  });
  const recording = createRecording({ folder: join(dir, 'recordings'), log });
  const recorded = Promise.withResolvers<{ path: string; durationMs: number }>();
  /** When words and frames are meant to be heard and seen. */
  const sent: { voiceAt: number | null; readonly frames: { readonly at: number; readonly ending: string }[] } = {
    voiceAt: null,
    frames: [],
  };
  const watched: Transport = {
    ...transport,
    open(...options) {
      const connection = transport.open(...options);
      const [sendAudio, sendVideo] = [connection.sendAudio.bind(connection), connection.sendVideo.bind(connection)];
      connection.sendAudio = (frame) => {
        if (!Buffer.from(frame.data).equals(silencePacket())) sent.voiceAt ??= frame.at;
        sendAudio(frame);
      };
      connection.sendVideo = (frame) => {
        sent.frames.push({ at: frame.at, ending: endingOf(frame.data) });
        sendVideo(frame);
      };
      return connection;
    },
  };
  try {
    await Promise.all([audioIn.ready(), face.prepare('stock-elena', WIDTH, HEIGHT)]);
    const events: string[] = [];
    const config = testConfig({ avatar: { avatarId: 'elena', model: 'cara-4', engineKey: 'stock-elena' } });
    const media = openMedia({
      config,
      transport: watched,
      audioIn,
      audioOut,
      face,
      recording,
      recorded: recorded.resolve,
      warn: (text) => recorded.reject(new Error(text)),
      startedAt: engineNow(),
      dispatch: ({ type }) => events.push(type),
      flood: { admits: () => true, close: () => {} },
      log,
    });
    const packets: ReceivedPacket[] = [];
    const client = openLoopbackClient({ onVideo: (packet) => packets.push(packet) });
    client.acceptAnswer(media.connection.acceptOffer(client.offer).answer);
    media.offerAnswered();
    await client.connected;
    await eventually(() => expect(events).toContain('media.started'));
    media.face.show('speaking');
    media.audioOut.say({
      segmentId: 's',
      text: 'One two three four five six seven eight nine ten.',
      language: 'en',
      pauseMs: 0,
    });
    await eventually(() => expect(events).toContain('speech.finished'));
    media.close();
    const file = await recorded.promise;
    client.close();
    return { packets, path: file.path, sent };
  } finally {
    await Promise.all([face.close(), audioIn.close(), audioOut.close(), recording.close(), transport.close()]);
  }
}

for (const [codec, tags] of [
  ['h264', []],
  ['vp8', ['nightly']],
] as const)
  it(
    `a recording shows what the client was shown, frame by frame, and says it at the same moment, with ${codec}`,
    { tags: [...tags] },
    async () => {
      const dir = mkdtempSync(join(tmpdir(), 'parley-recorded-'));
      try {
        const { packets, path, sent } = await speakAndRecord(codec, dir);
        const shown = shownFrames(packets, codec);
        const streamPath = join(dir, codec === 'h264' ? 'shown.h264' : 'shown.ivf');
        writeFileSync(streamPath, streamFile(shown, codec));
        const [live, kept] = [grayFrames(streamPath), grayFrames(path)];
        expect(live.length).toBe(shown.length);
        const times = (
          JSON.parse(
            execFileSync('ffprobe', [
              '-v',
              'error',
              '-select_streams',
              'v',
              '-show_entries',
              'packet=pts_time',
              '-of',
              'json',
              path,
            ]).toString(),
          ) as { packets: { pts_time: string }[] }
        ).packets.map(({ pts_time }) => Number(pts_time) * 1_000);
        expect(kept.length).toBe(times.length);

        // Where the recording begins: RTP times have a different origin.
        const begins = live.findIndex((_, i) =>
          kept
            .slice(0, 10)
            .every((frame, n) => live[i + n] !== undefined && difference(frame, live[i + n]!) <= LOSS[codec]),
        );
        expect(begins).toBeGreaterThanOrEqual(0);
        expect(live.length - begins).toBeGreaterThan(25);
        const toldApart = { fromBefore: 0, fromAfter: 0 };
        const place = live.slice(begins).map((frame, n) => {
          const at = shown[begins + n]!.at - shown[begins]!.at;
          const index = times.findIndex((time) => Math.abs(time - at) < 2 * TICK_MS);
          expect(index, `the frame of ${at} ms is in the recording, at its time`).toBeGreaterThanOrEqual(0);
          const [before, here, after] = [-1, 0, 1].map((step) =>
            kept[index + step] ? difference(frame, kept[index + step]!) : Infinity,
          );
          expect(here, `the frame of ${at} ms`).toBeLessThanOrEqual(LOSS[codec]);
          expect(here, `the frame of ${at} ms rather than the ones around it`).toBeLessThanOrEqual(
            Math.min(before!, after!) + CODEC_NOISE[codec],
          );
          if (before! > here! + CODEC_NOISE[codec]) toldApart.fromBefore += 1;
          if (after! > here! + CODEC_NOISE[codec]) toldApart.fromAfter += 1;
          return index;
        });
        expect(place).toEqual(place.toSorted((a, b) => a - b));
        expect(new Set(place).size).toBe(place.length);
        // A late face shows each picture for two frames or more: few frames differ from both neighbors,
        // and yet a shift by one frame in either direction would be noticed.
        expect(toldApart.fromBefore, 'frames that differ from the one before').toBeGreaterThan(2);
        expect(toldApart.fromAfter, 'frames that differ from the one after').toBeGreaterThan(2);

        const samples = new Float32Array(
          Uint8Array.from(
            execFileSync(
              'ffmpeg',
              ['-v', 'error', '-i', path, '-map', '0:a', '-ar', `${SAMPLE_RATE}`, '-ac', '1', '-f', 'f32le', '-'],
              { maxBuffer: 1 << 28 },
            ),
          ).buffer,
        );
        const voicedAt = (samples.findIndex((sample) => Math.abs(sample) > VOICED) * 1_000) / SAMPLE_RATE;
        const beganAt = sent.frames.findLast(({ ending }) => ending === endingOf(shown[begins]!.data))!.at;
        expect(Math.abs(voicedAt - (sent.voiceAt! - beganAt)), 'the first word').toBeLessThan(AUDIO_ERROR_MS);
      } finally {
        rmSync(dir, { recursive: true, force: true });
      }
    },
  );
