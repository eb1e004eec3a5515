import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { openSynthesizers } from './registry.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A speech service that refuses everything. @returns its address and how often it was asked. */
async function refusing() {
  const seen = { times: 0 };
  const server = createServer((request, response) => {
    seen.times += 1;
    request.resume();
    response.writeHead(500).end();
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { seen, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

it.each([
  { marked: true, asked: 0 },
  { marked: false, asked: 1 },
])('a service that keeps nothing ($marked) hands no sentence to one that may keep it', async ({ marked, asked }) => {
  const first = await refusing();
  const second = await refusing();
  const synthesizers = openSynthesizers(
    [
      { provider: 'openai', options: { baseUrl: first.baseUrl, model: 'm' }, voices: ['a'], isZdr: marked },
      { provider: 'elevenlabs', options: { baseUrl: second.baseUrl, apiKey: 'k', model: 'eleven_v3' }, voices: ['b'] },
    ],
    { offlineFallback: false },
  );
  closing.push(() => Promise.all(Object.values(synthesizers).map((synthesizer) => synthesizer.close())));
  const request = { text: 'Hello there.', voice: 'a', language: 'en', tuning: {} };
  const voice = synthesizers['OPENAI'];
  await expect(async () => {
    for await (const chunk of voice!.synthesize(request, new AbortController().signal)) void chunk;
  }).rejects.toThrow();
  expect(first.seen.times).toBeGreaterThan(0);
  expect(Math.min(1, second.seen.times)).toBe(asked);
});

it('a voice that the operator does not name, but that the account tells, takes over from another service', async () => {
  const first = await refusing();
  const second = await refusing();
  const voices: { providerVoiceId: string; language: string; gender: null }[] = [];
  const synthesizers = openSynthesizers(
    [
      { provider: 'openai', options: { baseUrl: first.baseUrl, model: 'm' }, voices: ['a'] },
      { provider: 'elevenlabs', options: { baseUrl: second.baseUrl, apiKey: 'k', model: 'eleven_v3' }, voices: [] },
    ],
    { offlineFallback: false, told: (provider) => (provider === 'elevenlabs' ? voices : null) },
  );
  closing.push(() => Promise.all(Object.values(synthesizers).map((synthesizer) => synthesizer.close())));
  const speak = async (): Promise<void> => {
    const request = { text: 'Hello there.', voice: 'a', language: 'en', tuning: {} };
    for await (const chunk of synthesizers['OPENAI']!.synthesize(request, new AbortController().signal)) void chunk;
  };
  await expect(speak()).rejects.toThrow();
  expect(second.seen.times).toBe(0);
  voices.push({ providerVoiceId: 'rachel', language: 'en', gender: null });
  await expect(speak()).rejects.toThrow();
  expect(second.seen.times).toBe(1);
});
