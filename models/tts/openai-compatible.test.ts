import { toAlaw, toUlaw } from '../g711.ts';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { createOpenAiCompatibleSynthesizer } from './openai-compatible.ts';
import { speak } from './testing/collect.ts';
import { pcmBytes, type SeenRequest, startSpeechServer } from './testing/speech-server.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each.close();
});

async function voiceOf(answer: (response: ServerResponse, seen: SeenRequest) => void) {
  const server = await startSpeechServer(answer);
  const voice = createOpenAiCompatibleSynthesizer({ baseUrl: `${server.url}/v1`, apiKey: 'k', model: 'm' });
  open.push(server, voice);
  return { voice, seen: server.seen };
}

/** A tone of 440 Hz, half as loud as possible. */
const tone = (rate: number, ms = 200): number[] =>
  Array.from({ length: (rate * ms) / 1000 }, (_, index) =>
    Math.round(16_000 * Math.sin((2 * Math.PI * 440 * index) / rate)),
  );

function wav(rate: number, channels: number, bytesPerSample: 2 | 4, data: Buffer): Buffer {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + data.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(bytesPerSample === 4 ? 3 : 1, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * channels * bytesPerSample, 28);
  header.writeUInt16LE(channels * bytesPerSample, 32);
  header.writeUInt16LE(8 * bytesPerSample, 34);
  header.write('data', 36);
  header.writeUInt32LE(data.length, 40);
  return Buffer.concat([header, data]);
}

/** How often a sound crosses zero in a second: twice its frequency. */
const crossings = (pcm: Int16Array, rate: number): number =>
  (pcm.reduce((sum, sample, index) => sum + (index > 0 && sample >= 0 !== pcm[index - 1]! >= 0 ? 1 : 0), 0) * rate) /
  pcm.length;

const swapped = (samples: readonly number[]): Buffer => pcmBytes(samples).swap16();
const float = (samples: readonly number[]): Buffer =>
  Buffer.from(Float32Array.from(samples, (sample) => sample / 32_768).buffer);
const stereo = (samples: readonly number[]): number[] => samples.flatMap((sample) => [sample, sample]);

// These were played as samples of 24 kHz: a click and noise near full scale, half speed, or an octave too low.
describe('A speech endpoint that sends something else than raw samples of 24 kHz', () => {
  it.each([
    ['WAV of 22 kHz', 'audio/wav', 22_050, wav(22_050, 1, 2, pcmBytes(tone(22_050)))],
    ['WAV that calls itself raw', 'audio/pcm', 22_050, wav(22_050, 1, 2, pcmBytes(tone(22_050)))],
    ['WAV of two channels', 'audio/wav', 24_000, wav(24_000, 2, 2, pcmBytes(stereo(tone(24_000))))],
    ['WAV of 48 kHz', '', 48_000, wav(48_000, 1, 2, pcmBytes(tone(48_000)))],
    ['WAV of floats', 'audio/wav', 24_000, wav(24_000, 1, 4, float(tone(24_000)))],
    ['samples of 16 kHz', 'audio/L16;rate=16000', 16_000, pcmBytes(tone(16_000))],
    ['samples with the high byte first', 'audio/L16; rate=16000; channels=1', 16_000, swapped(tone(16_000))],
    // Noise near full scale.
    ['samples of a telephone', 'audio/basic', 8000, Buffer.from(tone(8000).map(toUlaw))],
    [
      'samples of a telephone in Europe',
      'audio/PCMA;rate=16000',
      16_000,
      Buffer.from(tone(16_000).map((sample) => toAlaw(Math.round(sample * 0.9)))),
    ],
    ['samples of two channels', 'audio/pcm;rate=24000;channels=2', 24_000, pcmBytes(stereo(tone(24_000)))],
  ])('%s is heard as it was spoken', async (_, contentType, rate, bytes) => {
    const { voice } = await voiceOf((response) => {
      response.writeHead(200, contentType === '' ? {} : { 'content-type': contentType }).end(bytes);
    });
    const { pcm, sampleRate, durationMs } = await speak(voice, { text: 'Hello' });
    expect(sampleRate).toBe(rate);
    expect(durationMs).toBeCloseTo(200, -1);
    expect(crossings(pcm, rate)).toBeGreaterThan(850);
    expect(crossings(pcm, rate)).toBeLessThan(910);
    expect(Math.max(...pcm)).toBeLessThan(16_100);
  });

  const file = (name: string): Buffer => readFileSync(new URL(`testing/files/${name}`, import.meta.url));
  it.each([
    ['MP3 of 24 kHz', 'audio/mpeg', 24_000, 'tone-24k.mp3'],
    ['MP3 of 44.1 kHz that calls itself a stream of bytes', 'application/octet-stream', 44_100, 'tone-44k.mp3'],
    ['Opus in Ogg', 'audio/ogg', 48_000, 'tone.opus.ogg'],
    ['Vorbis in Ogg that calls itself raw', 'audio/pcm', 22_050, 'tone.vorbis.ogg'],
    ['FLAC', 'audio/flac', 16_000, 'tone.flac'],
    ['AAC', 'audio/aac', 24_000, 'tone.aac'],
    ['AAC in MP4', 'audio/mp4', 24_000, 'tone.m4a'],
    ['Opus in WebM', 'audio/webm', 48_000, 'tone.webm'],
  ])('%s is decoded at its own rate', async (_, contentType, rate, name) => {
    const { voice } = await voiceOf((response) => {
      response.writeHead(200, { 'content-type': contentType }).end(file(name));
    });
    const { pcm, sampleRate, durationMs } = await speak(voice, { text: 'Hello' });
    expect(sampleRate).toBe(rate);
    // Encoders add some silence, or lose some.
    expect(durationMs).toBeGreaterThan(280);
    expect(durationMs).toBeLessThan(420);
    const middle = pcm.subarray(Math.round(rate * 0.1), Math.round(rate * 0.25));
    expect(crossings(middle, rate)).toBeGreaterThan(850);
    expect(crossings(middle, rate)).toBeLessThan(910);
  });

  it.each([
    ['of 8 kHz', 'audio/pcm;rate=8000', 8_000],
    ['of 44.1 kHz', 'audio/L16; rate=44100', 44_100],
    ['of 48 kHz in another word', 'audio/x-raw; sample-rate=48000', 48_000],
  ])('samples %s are heard as they were spoken', async (_, contentType, rate) => {
    const { voice } = await voiceOf((response) => {
      response.writeHead(200, { 'content-type': contentType }).end(pcmBytes(tone(rate)));
    });
    const { pcm, sampleRate } = await speak(voice, { text: 'Hello' });
    expect(sampleRate).toBe(rate);
    expect(crossings(pcm, rate)).toBeGreaterThan(850);
    expect(crossings(pcm, rate)).toBeLessThan(910);
  });

  /** Each was an error, and the next voice spoke. */
  it.each([
    ['a WAV in base 64', (sound: Buffer) => JSON.stringify({ audio: sound.toString('base64'), format: 'wav' })],
    ['a WAV in hexadecimal digits', (sound: Buffer) => JSON.stringify({ data: { audio: sound.toString('hex') } })],
    ['a list of them', (sound: Buffer) => JSON.stringify({ audios: [sound.toString('base64')] })],
    [
      'events, of which the last repeats all',
      (sound: Buffer) =>
        [sound.subarray(0, 3000), sound.subarray(3000)]
          .map((piece) => ({ type: 'speech.audio.delta', audio: piece.toString('base64') }))
          .concat([{ type: 'speech.audio.done', audio: sound.toString('base64') }])
          .map((event) => `data: ${JSON.stringify(event)}\n\n`)
          .join(''),
    ],
  ])('%s within JSON is heard', async (_, bodyOf) => {
    const { voice } = await voiceOf((response) => {
      const body = bodyOf(wav(22_050, 1, 2, pcmBytes(tone(22_050))));
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    });
    const { pcm, sampleRate } = await speak(voice, { text: 'Hello' });
    expect(sampleRate).toBe(22_050);
    expect(crossings(pcm, 22_050)).toBeGreaterThan(850);
    expect(crossings(pcm, 22_050)).toBeLessThan(910);
  });

  it.each([
    ['JSON with a long word', 'application/json', JSON.stringify({ data: 'x'.repeat(500), content: 'y'.repeat(500) })],
    ['JSON', 'application/json', '{"error":{"message":"Model is loading"}}'],
    ['JSON that calls itself sound', 'audio/pcm', '{"detail":"Not now"}'],
    ['a page', 'text/html', '<!doctype html><html><body>Login</body></html>'],
    ['nothing', 'audio/pcm', ''],
    ['a file of sound that is none', 'audio/wav', 'RIFF....WAVEbroken'],
  ])('%s is an error, before anything is heard', async (_, contentType, body) => {
    const { voice } = await voiceOf((response) => {
      response.writeHead(200, { 'content-type': contentType }).end(body);
    });
    await expect(speak(voice, { text: 'Hello' })).rejects.toMatchObject({ code: 'bad-response' });
  });

  it('is asked for a format that it has, and not again for the other one', async () => {
    const { voice, seen } = await voiceOf((response, { body }) => {
      if (body['response_format'] === 'wav')
        response.writeHead(200, { 'content-type': 'audio/wav' }).end(wav(24_000, 1, 2, pcmBytes(tone(24_000))));
      else response.writeHead(400).end('{"error":{"message":"response_format must be wav"}}');
    });
    expect((await speak(voice, { text: 'Hello' })).durationMs).toBeCloseTo(200, -1);
    await speak(voice, { text: 'again' });
    expect(seen.map(({ body }) => body['response_format'])).toEqual(['pcm', 'wav', 'wav']);
  });

  it('and what it refuses for another reason stays refused', async () => {
    const { voice, seen } = await voiceOf((response) => {
      response.writeHead(400).end('{"error":{"message":"unknown voice"}}');
    });
    await expect(speak(voice, { text: 'Hello' })).rejects.toMatchObject({ code: 'bad-request' });
    expect(seen).toHaveLength(1);
  });
});
