import { existsSync, readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { elevenLabsAccount } from '../../../models/tts/account/elevenlabs-account.ts';
import type { VoiceCloner } from '../../ports.ts';
import { Form } from '../../testing/form.ts';
import { startTestService, type TestService } from '../../testing/service.ts';
import { describeOnSqlite } from '../../testing/stores.ts';

/** Nearly as much as a form may bring. */
const LARGE = 4_500_000;
/** In memory at once: forms are written to disk as they come, and read from there. */
const MAX_GROWTH_BYTES = 64 * 1024 * 1024;

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const atom = (size: number, name: string): Buffer => Buffer.concat([u32(size).reverse(), Buffer.from(name)]);

/** A WAV whose header says how long it is. @param kind 1: whole numbers; 3: floating point. */
function wav(kind: 1 | 3, saidBytes: number, sound: Buffer, channels = 1): Buffer {
  const format = Buffer.alloc(16);
  format.writeUInt16LE(kind, 0);
  format.writeUInt16LE(channels, 2);
  format.writeUInt32LE(48_000, 4);
  format.writeUInt32LE(48_000 * 4, 8);
  format.writeUInt16LE(4, 12);
  format.writeUInt16LE(32, 14);
  const data = Buffer.concat([Buffer.from('data'), u32(saidBytes), sound]);
  const body = Buffer.concat([Buffer.from('WAVEfmt '), u32(16), format, data]);
  return Buffer.concat([Buffer.from('RIFF'), u32(saidBytes), body]);
}

/** What is no recording, whatever it calls itself. */
const STRANGERS: Readonly<Record<string, Buffer>> = {
  'an archive that expands': Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(LARGE)]),
  'a gzip bomb': Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0]), Buffer.alloc(LARGE)]),
  'a page with a script': Buffer.from('<!doctype html><script>alert(1)</script>'),
  'an image': Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'),
  'a program': Buffer.concat([Buffer.from('\x7fELF'), Buffer.alloc(1_000)]),
  nothing: Buffer.alloc(0),
};

/** What begins as a recording: only the service that copies it decodes it. */
const BROKEN: Readonly<Record<string, Buffer>> = {
  'a header of ten hours': wav(1, 0xffff_ffff, Buffer.alloc(16)),
  'floating point that is no number': wav(3, LARGE, Buffer.alloc(LARGE, Buffer.from([0, 0, 0xc0, 0x7f]))),
  'a WAV that is cut off': wav(1, 1_000_000, Buffer.alloc(3)).subarray(0, 40),
  'an MP4 of its first atom': Buffer.concat([atom(16, 'ftyp'), Buffer.from('M4A \0\0\0\0')]),
  'an MP4 of atoms in atoms': Buffer.concat([
    Buffer.concat([atom(16, 'ftyp'), Buffer.from('M4A \0\0\0\0')]),
    ...Array.from({ length: 10_000 }, () => atom(0xffff_ffff, 'moov')),
    atom(0, 'mdat'),
  ]),
  'a header of 24 hours of silence': wav(1, 8_000 * 86_400, Buffer.alloc(LARGE)),
  'a thousand channels': wav(1, LARGE, Buffer.alloc(LARGE), 1_000),
  'an Ogg of one page again and again': Buffer.alloc(
    LARGE,
    Buffer.from(`OggS\0\x02${'\0'.repeat(20)}\x01\x00`, 'latin1'),
  ),
  'a FLAC of 32 bits and eight channels': Buffer.concat([
    Buffer.from('fLaC\0\0\0\x22', 'latin1'),
    Buffer.alloc(10, 0xff),
    Buffer.from([0x0b, 0xb8, 0x0f, 0xff]),
    Buffer.alloc(LARGE, 0xff),
  ]),
  'an MP3 of tags': Buffer.alloc(LARGE, Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1')),
  'an ID3 tag of 256 MB': Buffer.concat([Buffer.from('ID3\x04\0\0\x7f\x7f\x7f\x7f', 'latin1'), Buffer.alloc(LARGE)]),
};

describeOnSqlite('a hostile recording to copy a voice from', (stores) => {
  let service: TestService;
  let provider: Server;
  /** Bytes that came to the service that copies voices. */
  const received: number[] = [];
  beforeAll(async () => {
    provider = createServer((request, response) => {
      let bytes = 0;
      request.on('data', (chunk: Buffer) => (bytes += chunk.length));
      request.on('end', () => {
        received.push(bytes);
        response.writeHead(400, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ detail: { status: 'invalid_audio', message: 'not a sound' } }));
      });
    });
    await new Promise<void>((listening) => provider.listen(0, '127.0.0.1', listening));
    const baseUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
    const { cloning } = elevenLabsAccount({ apiKey: 'k', baseUrl });
    const cloner: VoiceCloner = {
      provider: 'ELEVENLABS',
      engineProvider: 'ELEVENLABS',
      family: 'elevenlabs',
      advice: '',
      languages: null,
      clone: async ({ signal, ...wanted }) => ({
        providerVoiceId: await cloning!.clone(wanted, signal),
        providerModelId: null,
      }),
      remove: async () => {},
    };
    service = await startTestService(await stores.open(), { ports: { voiceCloners: [cloner] } });
  });
  afterAll(async () => {
    await service.close();
    provider.close();
  });
  const copy = (bytes: Buffer, file = 'me.wav') =>
    service.send('POST', '/v1/voices', new Form().field('name', 'Me').file('audioFile', file, 'audio/wav', bytes));

  it.each(Object.entries(STRANGERS))('is refused here when it is none: %s', async (_what, bytes) => {
    const before = received.length;
    expect(await copy(bytes)).toMatchObject({
      status: 400,
      body: { details: [{ path: 'audioFile', message: 'must be a sound file' }] },
    });
    expect(received).toHaveLength(before);
  });

  it('is written nowhere by its own name', async () => {
    for (const name of [
      '../../../../tmp/parley-hostile.wav',
      '/tmp/parley-hostile.wav',
      'C:\\parley-hostile.wav',
      '..',
    ])
      expect((await copy(BROKEN['a header of ten hours']!, name)).status).toBe(502);
    expect(existsSync('/tmp/parley-hostile.wav')).toBe(false);
    expect(readdirSync('.').filter((name) => name.includes('parley-hostile'))).toEqual([]);
  });

  it.each(Object.entries(BROKEN))('is decoded by nobody here: %s', async (_what, bytes) => {
    const before = process.memoryUsage.rss();
    for (let time = 0; time < 3; time += 1) expect((await copy(bytes)).status).toBe(502);
    expect(received.at(-1)).toBeGreaterThanOrEqual(bytes.length);
    expect(received.at(-1)).toBeLessThan(bytes.length + 10_000);
    expect(process.memoryUsage.rss() - before).toBeLessThan(MAX_GROWTH_BYTES);
  });
});
