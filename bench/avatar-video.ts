/**
 * How much faster than real time an avatar video is rendered: speech, mouth shapes, frames, encoding and file, with the
 * offline voice and a prepared avatar. Rendering has the lowest priority, so other work on the machine changes the
 * figures.
 *
 *   node bench/avatar-video.ts [--runs 5] [--avatar elena]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pino from 'pino';
import { createAvatarVideos, type RenderedVideo } from '../engine/avatar-video/index.ts';
import { engineNow, systemTimers } from '../runtime/clock.ts';
import { AVATAR_CATALOGUE, createFace } from '../engine/face/index.ts';
import { createOfflineSynthesizer } from '../models/tts/offline.ts';
import { watchEventLoop } from './lib/event-loop.ts';
import { median } from './lib/statistics.ts';
import { stealTimeLine, watchStealTime } from './lib/steal-time.ts';
import { printTable } from './lib/table.ts';

const { values: args } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    avatar: { type: 'string', default: AVATAR_CATALOGUE[0]?.engineKey ?? '' },
  },
});
const runs = Number(args.runs);
const SIZES = [
  [720, 480],
  [1152, 768],
] as const;
/** About half a minute, with a question, a list and a paragraph. */
const SCRIPT = `Welcome to the harbor museum. My name is Elena, and I will show you around.
Did you know that the oldest boat in this hall is more than four hundred years old? It was found by accident, when the new bridge was built.

Please keep to the left on the stairs. Behind the glass you see ropes, maps, lamps and a very large anchor.
We hope that you enjoy your visit, and that you come back soon.`;

const dir = mkdtempSync(join(tmpdir(), 'parley-bench-'));
// As in the service: each video has its own thread.
process.env['NODE_COMPILE_CACHE'] ??= join(dir, 'compiled');
const face = createFace({ cacheDir: join(dir, 'avatars'), log: pino({ level: 'error' }), workers: 1 });
const voice = createOfflineSynthesizer();
const videos = createAvatarVideos({ face, synthesizers: { LOCAL: voice }, timers: systemTimers });

function render(width: number, height: number): Promise<RenderedVideo> {
  return videos.render({
    script: SCRIPT,
    engineKey: args.avatar,
    width,
    height,
    provider: 'LOCAL',
    providerVoiceId: 'slt',
    language: 'en',
    tuning: {},
    disclosure: false,
    acts: true,
    expressivity: null,
    baselineStyle: null,
    path: join(dir, 'video.mp4'),
    signal: new AbortController().signal,
  });
}

const host = watchStealTime();
const rows: (string | number)[][] = [];
for (const [width, height] of SIZES) {
  await face.prepared(args.avatar, width, height);
  await render(width, height); // warm: the voice's process, the disk's cache
  const loop = watchEventLoop();
  const results: { times: number; cpu: number; kilobits: number }[] = [];
  for (let run = 0; run < runs; run++) {
    const cpu = process.cpuUsage();
    const began = engineNow();
    const { durationMs, bytes } = await render(width, height);
    const tookMs = engineNow() - began;
    const { user, system } = process.cpuUsage(cpu);
    results.push({ times: durationMs / tookMs, cpu: (user + system) / durationMs, kilobits: (bytes * 8) / durationMs });
  }
  const of = (pick: (result: (typeof results)[number]) => number): number[] => results.map(pick);
  rows.push([
    `${width}×${height}`,
    median(of((r) => r.times)),
    Math.min(...of((r) => r.times)),
    Math.max(...of((r) => r.times)),
    median(of((r) => r.cpu)),
    median(of((r) => r.kilobits)),
    loop.stop().p99,
  ]);
}
console.log(`A script of ${SCRIPT.split(/\s+/).length} words, ${runs} runs each.`);
printTable(
  ['size', '× real time, median', 'worst', 'best', 'CPU ms per s of video', 'kbit/s', 'event-loop delay p99, ms'],
  rows,
);
console.log(stealTimeLine(host.stop(), 'no more than a lower bound'));
await Promise.all([videos.close(), face.close(), voice.close()]);
rmSync(dir, { recursive: true, force: true });
process.exit(0);
