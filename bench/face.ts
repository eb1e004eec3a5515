/**
 * What one frame of a face costs, by size and codec: drawing and encoding, idle and speaking, on one thread with many
 * sessions in turn, as in a video worker. From that, prints how many sessions one core can serve at 25 frames a second.
 *
 *   node bench/face.ts [sessions] [frames]
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { VISEMES } from '../engine/ports.ts';
import { FaceAnimator } from '../engine/face/animation/animator.ts';
import { timedShapes } from '../engine/face/animation/mouth-blend.ts';
import type { Mood } from '../engine/face/animation/expression.ts';
import { createIllustratedSource } from '../engine/face/avatars/illustrated-source.ts';
import { bitrateCeiling } from '../engine/face/encode/video-encoder.ts';
import { VIDEO_SIZES } from '../engine/face/index.ts';
import { drawAvatar } from '../engine/face/prepare/draw-avatar.ts';
import { PatchRenderer } from '../engine/face/rendering/patch-renderer.ts';
import { createSessionRenderer } from '../engine/face/worker/session-renderer.ts';

const sessions = Number(process.argv[2] ?? 10);
const frames = Number(process.argv[3] ?? 150);
const source = createIllustratedSource();

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!;
}

console.log(`${sessions} sessions in turn on one thread, ${frames} frames each`);
for (const { width, height } of VIDEO_SIZES) {
  const began = performance.now();
  const avatar = drawAvatar(await source.open('stock-elena', width, height));
  console.log(`\n${width}×${height}: prepared in ${Math.round(performance.now() - began)} ms`);
  for (const codec of ['h264', 'vp8'] as const) {
    for (const mood of ['idle', 'speaking'] as const)
      await measure(new PatchRenderer(avatar), codec, mood, width, height);
  }
}

async function measure(
  renderer: PatchRenderer,
  codec: 'h264' | 'vp8',
  mood: Mood,
  width: number,
  height: number,
): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const shapes =
    mood === 'speaking'
      ? timedShapes({
          segmentId: 'bench',
          startsAt: 0,
          shapes: Array.from({ length: frames }, (_, i) => ({
            shape: VISEMES[(i * 7) % VISEMES.length]!,
            startMs: i * 90,
            endMs: (i + 1) * 90,
            weight: 1,
          })),
        })
      : [];
  const faces = Array.from({ length: sessions }, (_, i) => ({
    sessionRenderer: createSessionRenderer(
      renderer,
      { codec, width, height, bitsPerSecond: bitrateCeiling(width, height), effort: 'live' },
      null,
    ),
    animator: new FaceAnimator({ seed: i, startsAt: 0, mood, tag: null, expressivity: 0.6 }),
  }));
  const costs: number[] = [];
  let bytes = 0;
  delay.enable();
  const cpu = process.cpuUsage();
  for (let frame = 0; frame < frames; frame++) {
    for (const { sessionRenderer, animator } of faces) {
      const start = performance.now();
      const around = shapes.slice(Math.max(0, Math.floor((frame * 40) / 90) - 2), Math.floor((frame * 40) / 90) + 3);
      const { data } = sessionRenderer.show(animator.step(frame * 40, around), frame * 40, frame === 0);
      if (frame > 0) {
        costs.push(performance.now() - start);
        bytes += data.length;
      }
    }
    await nextTurn();
  }
  const used = process.cpuUsage(cpu);
  delay.disable();
  for (const { sessionRenderer } of faces) sessionRenderer.close();
  const cpuMs = (used.user + used.system) / 1000 / (frames * sessions);
  const kbits = (bytes * 8 * 25) / ((frames - 1) * sessions) / 1000;
  console.log(
    `  ${codec.padEnd(4)} ${mood.padEnd(8)} CPU ${cpuMs.toFixed(2)} ms/frame · wall p50 ${percentile(costs, 0.5).toFixed(2)} p99 ${percentile(costs, 0.99).toFixed(2)} ms · ${Math.round(kbits)} kbit/s · ${Math.floor(40 / cpuMs)} sessions/core · event loop p99 ${(delay.percentile(99) / 1e6).toFixed(0)} ms`,
  );
}
