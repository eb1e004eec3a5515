import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { splitAnnexB } from '../../media/annex-b.ts';

const run = promisify(execFile);

export interface EncodedFrame {
  readonly data: Buffer;
  readonly keyframe: boolean;
}

const FRAME = ['-f', 'lavfi', '-i', 'testsrc2=size=320x240:rate=25'];

async function ffmpeg(args: readonly string[]): Promise<Buffer> {
  const { stdout } = await run('ffmpeg', ['-hide_banner', '-loglevel', 'error', ...args, 'pipe:1'], {
    encoding: 'buffer',
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}

/** A moving test frame, 25 a second, a keyframe every second, made by Debian's ffmpeg. */
export async function testFrames(codec: 'h264' | 'vp8', seconds: number): Promise<EncodedFrame[]> {
  if (codec === 'vp8') {
    return readIvf(
      await ffmpeg([
        ...FRAME,
        '-t',
        `${seconds}`,
        '-c:v',
        'libvpx',
        '-deadline',
        'realtime',
        '-cpu-used',
        '8',
        '-auto-alt-ref',
        '0',
        '-b:v',
        '500k',
        '-g',
        '25',
        '-f',
        'ivf',
      ]),
    );
  }
  const stream = await ffmpeg([
    ...FRAME,
    '-t',
    `${seconds}`,
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-tune',
    'zerolatency',
    '-profile:v',
    'baseline',
    '-pix_fmt',
    'yuv420p',
    '-b:v',
    '500k',
    '-g',
    '25',
    '-x264-params',
    'sliced-threads=0:slices=1:repeat-headers=1',
    '-f',
    'h264',
  ]);
  return readAnnexB(stream);
}

/** A 440 Hz tone as Opus packets of 20 ms. */
export async function testTone(seconds: number): Promise<Buffer[]> {
  return readOgg(
    await ffmpeg([
      '-f',
      'lavfi',
      '-i',
      `sine=frequency=440:sample_rate=48000:duration=${seconds}`,
      '-c:a',
      'libopus',
      '-frame_duration',
      '20',
      '-f',
      'ogg',
    ]),
  );
}

function readIvf(file: Buffer): EncodedFrame[] {
  const frames: EncodedFrame[] = [];
  for (let offset = file.readUInt16LE(6); offset + 12 <= file.length;) {
    const size = file.readUInt32LE(offset);
    const data = file.subarray(offset + 12, offset + 12 + size);
    frames.push({ data, keyframe: (data[0]! & 1) === 0 });
    offset += 12 + size;
  }
  return frames;
}

/** One slice a frame: a slice ends its video. */
function readAnnexB(stream: Buffer): EncodedFrame[] {
  const frames: EncodedFrame[] = [];
  let units: Uint8Array[] = [];
  for (const unit of splitAnnexB(stream)) {
    units.push(Uint8Array.of(0, 0, 0, 1), unit);
    const type = unit[0]! & 0x1f;
    if (type !== 1 && type !== 5) continue;
    frames.push({ data: Buffer.concat(units), keyframe: type === 5 });
    units = [];
  }
  return frames;
}

/** Packets of an Ogg stream without the two header packets of Opus. */
function readOgg(file: Buffer): Buffer[] {
  const packets: Buffer[] = [];
  let parts: Buffer[] = [];
  for (let page = 0; page + 27 <= file.length;) {
    const segments = file[page + 26]!;
    let data = page + 27 + segments;
    for (let i = 0; i < segments; i++) {
      const length = file[page + 27 + i]!;
      parts.push(file.subarray(data, data + length));
      data += length;
      // A segment below 255 bytes ends its packet.
      if (length < 255) {
        packets.push(Buffer.concat(parts));
        parts = [];
      }
    }
    page = data;
  }
  return packets.slice(2);
}
