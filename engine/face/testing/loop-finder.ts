/**
 * A process that finds or encodes the loops of a folder (first argument) until all are there, and notes each that it encodes in
 * `encoded.txt`. With `hangs` it never finishes the first one.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createFileCache } from '../prepare/cache-file.ts';
import { packLoop } from '../prepare/idle-loop.ts';
import { findOrEncode, LOOP_NAMES, type LoopName } from '../prepare/loop-files.ts';

const [folder = '', how] = process.argv.slice(2);
const found = new Set<string>();

async function* encode({ mood, variation }: LoopName): AsyncGenerator<void, SharedArrayBuffer> {
  appendFileSync(join(folder, 'encoded.txt'), `${mood} ${variation}\n`);
  process.send!('encoding');
  do {
    await pause(5);
    yield;
  } while (how === 'hangs');
  return packLoop({ mood, variation, data: new Uint8Array(8), ends: Uint32Array.of(8), poses: new Float32Array(1) });
}

let wanted: readonly LoopName[] = LOOP_NAMES;
while (wanted.length > 0) {
  const steps = findOrEncode(wanted, {
    cache: createFileCache(folder),
    hash: 'look',
    encode,
    found: ({ mood, variation }, loop) => found.add(`${mood} ${variation} ${typeof loop}`),
  });
  let step = await steps.next();
  while (step.done !== true) step = await steps.next();
  wanted = step.value;
  await pause(20);
}
process.send!([...found]);
process.channel?.unref();
