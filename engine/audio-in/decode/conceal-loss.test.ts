import { afterEach, expect, test } from 'vitest';
import { spoken, tripled } from '../../../models/testing/sounds.ts';
import { FRAME_SAMPLES } from '../../media/audio-format.ts';
import { opusPackets } from '../testing/opus-packets.ts';
import { concealLoss } from './conceal-loss.ts';
import { OpusDecoder } from './opus-decoder.ts';

const decoders: OpusDecoder[] = [];
afterEach(() => {
  for (const decoder of decoders.splice(0)) decoder.close();
});
function open(): OpusDecoder {
  const decoder = new OpusDecoder();
  decoders.push(decoder);
  return decoder;
}

const power = (pcm: Int16Array, other?: Int16Array): number =>
  pcm.reduce((sum, sample, i) => sum + (sample - (other?.[i] ?? 0)) ** 2, 0) / pcm.length;
/** Root mean square of a frame in the middle of speech. */
const LOUD = 300;

const packets = opusPackets(tripled(spoken('I would like to book a table for two people tomorrow evening.')));

test('what is lost is close to what was said: one packet of ten, in loud speech', () => {
  const [whole, lossy] = [open(), open()];
  let [said, missed] = [0, 0];
  for (const [index, packet] of packets.entries()) {
    const original = whole.decode(packet) as Int16Array;
    const heard = index % 10 === 9 ? concealLoss(lossy, FRAME_SAMPLES) : (lossy.decode(packet) as Int16Array);
    if (index % 10 !== 9 || power(original) < LOUD ** 2) continue;
    said += power(original);
    missed += power(original, heard);
  }
  expect(said).toBeGreaterThan(0);
  // Silence would miss all of it. Repeating the last frame would give 1.4 times as much.
  expect(missed / said).toBeLessThan(0.5);
});

test('a long loss fades out', () => {
  const decoder = open();
  const loudest = packets.findIndex((packet) => power(decoder.decode(packet) as Int16Array) > 2_000 ** 2);
  expect(loudest).toBeGreaterThan(0);
  const [first, last] = [FRAME_SAMPLES, 10 * FRAME_SAMPLES];
  const filled = concealLoss(decoder, last);
  expect(power(filled.subarray(0, first))).toBeGreaterThan(LOUD ** 2);
  expect(power(filled.subarray(last - first))).toBeLessThan(power(filled.subarray(0, first)) / 10);
});

test('any length is filled', () => {
  const decoder = open();
  decoder.decode(packets[0] as Uint8Array);
  for (const count of [1, 959, 961, 5_760]) expect(concealLoss(decoder, count)).toHaveLength(count);
});

test('what is lost at the very beginning is silence', () => {
  expect([...concealLoss(open(), 3)]).toEqual([0, 0, 0]);
});
