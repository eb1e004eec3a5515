import { expect, it } from 'vitest';
import { OpusDecoder } from '../audio-in/decode/opus-decoder.ts';
import { SimulatedTimers } from '../audio-out/testing/simulated-timers.ts';
import type { AudioPacket } from '../media/media-types.ts';
import { encodeAudio } from './audio-format.ts';
import { Microphone } from './microphone.ts';

const TONE = encodeAudio(
  'pcm16',
  Int16Array.from({ length: 24_000 }, (_, at) => 9_000 * Math.sin(at / 10)),
);

function open() {
  const timers = new SimulatedTimers();
  const packets: AudioPacket[] = [];
  const microphone = new Microphone(timers, (packet) => packets.push(packet));
  const decoder = new OpusDecoder();
  const isLoud = ({ payload }: AudioPacket): boolean => decoder.decode(payload)!.some((sample) => sample > 3_000);
  return { timers, packets, microphone, isLoud, loud: () => packets.splice(0).map(isLoud).filter(Boolean).length };
}

it('makes packets in their time of sound that comes at once, and silence where nothing came', async () => {
  const { timers, packets, microphone, loud } = open();
  microphone.start();
  await timers.advance(200);
  expect(microphone.append(TONE, 'pcm16', false)).toBe(true);
  await timers.advance(2_000);
  expect(packets.length).toBeGreaterThanOrEqual(109);
  expect(packets.map(({ sequence }) => sequence)).toEqual(packets.map((_, at) => at));
  const heard = loud();
  expect(heard).toBeGreaterThanOrEqual(49);
  expect(heard).toBeLessThanOrEqual(52);
  microphone.close();
});

it('keeps sound back until the user has finished, and forgets what is cleared', async () => {
  const { timers, microphone, loud } = open();
  microphone.start();
  microphone.append(TONE, 'pcm16', true);
  expect(microphone.heldMs).toBeGreaterThan(990);
  await timers.advance(500);
  expect(loud()).toBe(0);
  microphone.release();
  await timers.advance(400);
  expect(loud()).toBeGreaterThan(15);
  microphone.clear();
  await timers.advance(400);
  expect(loud()).toBeLessThanOrEqual(1);
  microphone.close();
});

it('takes two minutes at once, and no more', () => {
  const { microphone } = open();
  let taken = 0;
  while (microphone.append(TONE, 'pcm16', false)) taken += 1;
  expect(taken).toBeGreaterThanOrEqual(120);
  expect(taken).toBeLessThanOrEqual(122);
  microphone.close();
});

// A message of 1 MB in G.711 is a minute and a half. All of it was decoded and brought to 48 kHz when it came (9 MB): 100 ms
// in which nobody's sound was sent.
it('reads what comes at once piece by piece, as it is heard', async () => {
  const { timers, microphone, packets } = open();
  const sound = Buffer.alloc(90 * 8_000, 0xff);
  const before = process.memoryUsage().arrayBuffers;
  microphone.append(sound, 'g711_ulaw', false);
  microphone.start();
  await timers.advance(1_000);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2_000_000);
  await timers.advance(89_000);
  expect(packets.length).toBeGreaterThanOrEqual(4_500);
  microphone.close();
});

/**
 * A client streams its microphone, and its network stands still for a while. What could not come was made up for by silence,
 * and from then on all of its sound was as late as that: an interruption stopped the persona 2.3 s later, for the rest of the
 * call, until the client would send nothing for once.
 */
it.each([
  ['is in time again at once', 280],
  ['is in time again after a pause', 2_000],
])('sound %s after the network was held up for %i ms', async (_, heldUpMs) => {
  const { timers, packets, microphone, isLoud, loud } = open();
  microphone.start();
  const piece = (from: Buffer) => microphone.append(from.subarray(0, 960), 'pcm16', false);
  const quiet = Buffer.alloc(960);
  const stream = async (sound: Buffer, ms: number): Promise<void> => {
    for (let at = 0; at < ms; at += 20) {
      piece(sound);
      await timers.advance(20);
    }
  };
  await stream(TONE, 600);
  await timers.advance(heldUpMs);
  for (let at = 0; at < heldUpMs; at += 20) piece(TONE);
  await stream(TONE, 400);
  await stream(quiet, 3_000);
  const before = loud();
  expect(before).toBeGreaterThanOrEqual((1_000 + heldUpMs) / 20 - 1);
  packets.splice(0);
  const from = timers.now();
  await stream(TONE, 400);
  await stream(quiet, 600);
  const first = packets.findIndex(isLoud);
  expect(packets[first]!.arrivedAt - from).toBeLessThanOrEqual(140);
  microphone.close();
});

it('leaves no pause out of a recording that comes at once', async () => {
  const { timers, microphone, packets, loud } = open();
  microphone.start();
  await timers.advance(1_000);
  microphone.append(Buffer.concat([TONE, Buffer.alloc(48_000), TONE]), 'pcm16', false);
  packets.splice(0);
  await timers.advance(2_000);
  loud();
  await timers.advance(900);
  expect(loud()).toBeGreaterThanOrEqual(44);
  microphone.close();
});
