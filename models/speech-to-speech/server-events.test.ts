import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readServerEvent } from './server-events.ts';
import { realtimeAddress } from './realtime-address.ts';
import { RateConverter } from '../rate-converter.ts';

it('reads any JSON without an error of its own: what is no event is refused, what is unknown is nothing', () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
      try {
        readServerEvent(text);
      } catch (error) {
        expect(error instanceof SyntaxError || error instanceof TypeError).toBe(true);
      }
    }),
  );
  expect(readServerEvent('{"type":"rate_limits.updated"}')).toBeNull();
  expect(readServerEvent('{"type":"constructor"}')).toBeNull();
});

it('reads fields of every wrong type as if they were not there', () => {
  const types = [
    'response.done',
    'error',
    'conversation.item.added',
    'response.output_audio.delta',
    'response.created',
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...types),
      fc.dictionary(fc.constantFrom('response', 'item', 'delta', 'error'), fc.jsonValue()),
      (type, fields) => {
        readServerEvent(JSON.stringify({ ...fields, type }));
      },
    ),
  );
});

it.each([
  ['https://api.openai.com/v1', {}, 'wss://api.openai.com/v1/realtime?model=m', 'authorization'],
  ['http://127.0.0.1:9/v1/realtime', {}, 'ws://127.0.0.1:9/v1/realtime?model=m', 'authorization'],
  ['https://x.openai.azure.com', {}, 'wss://x.openai.azure.com/openai/v1/realtime?model=m', 'api-key'],
  [
    'https://x.openai.azure.com/',
    { deploymentName: 'd', apiVersion: '2025-04-01-preview' },
    'wss://x.openai.azure.com/openai/realtime?api-version=2025-04-01-preview&deployment=d',
    'api-key',
  ],
])('reaches %s where its service has it', (url, more, expected, header) => {
  const definition = { name: 'n', format: 'advanced_voice', urls: [{ url }], modelName: 'm', secret: 's', ...more };
  const address = realtimeAddress(definition, url);
  expect(address.url.href).toBe(expected);
  expect(Object.keys(address.headers)).toEqual([header]);
});

it('makes 24 kHz of 16 kHz, and leaves a tone as it is, whatever the pieces', () => {
  const upsampler = new RateConverter(16_000, 24_000);
  const tone = Int16Array.from({ length: 16_000 }, (_, at) =>
    Math.round(10_000 * Math.sin((2 * Math.PI * 440 * at) / 16_000)),
  );
  const output: number[] = [];
  for (let at = 0; at < tone.length; at += 501) output.push(...upsampler.convert(tone.slice(at, at + 501)));
  expect(output.length).toBe(24_000);
  // 16 samples of the input are between, of which 8 are ahead.
  const delay = ((16 - 7) * 3) / 2;
  for (let at = 1_000; at < 20_000; at += 1)
    expect(Math.abs(output[at]! - 10_000 * Math.sin((2 * Math.PI * 440 * (at - delay)) / 24_000))).toBeLessThan(120);
});
