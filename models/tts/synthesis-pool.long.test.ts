import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { SynthesisChunk } from '../ports.ts';
import { SynthesisPool } from './synthesis-pool.ts';

let pool: SynthesisPool;
afterEach(() => pool.close());

const open = (size = 1, entry = './testing/misbehaving-process.ts') =>
  (pool = new SynthesisPool('test', new URL(entry, import.meta.url), size));
const job = (text: string) => ({ text, voice: 'v', language: 'en', speed: 1, volume: 1 });

async function speak(text: string, signal = new AbortController().signal): Promise<number[]> {
  const heard: number[] = [];
  for await (const chunk of pool.speak(job(text), signal) as AsyncIterable<SynthesisChunk>) heard.push(chunk.pcm[0]!);
  return heard;
}

describe('speech processes', () => {
  it('speak many sentences, each to its own listener', async () => {
    open(2);
    const texts = Array.from({ length: 20 }, (_, k) => 'x'.repeat(k + 10));
    expect(await Promise.all(texts.map((text) => speak(text)))).toEqual(texts.map((text) => [text.length]));
  });

  // Each took 60 MB from the start on, in a service in which nobody talked.
  it('start when a sentence has to wait, beyond the first', async () => {
    open(3);
    await speak('hello');
    expect(pool.running).toBe(1);
    await Promise.all(['a', 'ab', 'abc', 'abcd'].map((text) => speak(text)));
    expect(pool.running).toBeGreaterThan(1);
  });

  // espeak-ng's took 45 MB of every service, for languages that most never speak.
  it('do not start before somebody is about to speak, when they are on demand', async () => {
    pool = new SynthesisPool('test', new URL('./testing/misbehaving-process.ts', import.meta.url), 2, 'on demand');
    expect(pool.running).toBe(0);
    pool.warm();
    expect(pool.running).toBe(1);
    expect(await speak('hello')).toEqual([5]);
  });

  it('are replaced when they crash: the sentence goes on where it broke off', async () => {
    open();
    const folder = await mkdtemp(join(tmpdir(), 'parley-speech-'));
    expect(await speak(`once ${join(folder, 'crashed')}`)).toEqual([1, 2]);
    expect(await speak('hello')).toEqual([5]);
    await rm(folder, { recursive: true });
  });

  it('are not given a sentence a third time: one is lost, the next is spoken', async () => {
    open();
    await expect(speak('crash')).rejects.toMatchObject({ code: 'server' });
    expect(await speak('hello')).toEqual([5]);
  });

  it('that keep crashing are left alone for a while, with a clear error', async () => {
    open();
    await expect(speak('crash')).rejects.toMatchObject({ code: 'server' });
    await expect(speak('crash')).rejects.toMatchObject({ code: 'unavailable' });
    await expect(speak('hello')).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('pass a provider error on and keep any other to themselves', async () => {
    open();
    await expect(speak('refuse')).rejects.toMatchObject({ code: 'bad-request', message: 'Refused.' });
    await expect(speak('fail')).rejects.toMatchObject({ code: 'server', message: 'The speech library failed.' });
    expect(await speak('hello')).toEqual([5]);
  });

  it('never see a sentence that is no longer wanted', async () => {
    open();
    const abort = new AbortController();
    const first = speak('first');
    const second = speak('crash', abort.signal);
    abort.abort();
    await expect(second).rejects.toMatchObject({ code: 'aborted' });
    expect(await first).toEqual([5]);
    expect(await speak('third')).toEqual([5]);
  });

  it('whose library is missing say so for every sentence', async () => {
    open(1, './testing/missing-library-process.ts');
    await expect(speak('hello')).rejects.toMatchObject({ code: 'unavailable' });
    await expect(speak('hello')).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The library is not installed.',
    });
  });

  it('speak no more once they are closed', async () => {
    open();
    await pool.close();
    await expect(speak('hello')).rejects.toMatchObject({ code: 'unavailable' });
  });
});
