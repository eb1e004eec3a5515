import pino from 'pino';
import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { SimulatedClock } from 'xstate';
import { EmbeddedJobQueue } from './embedded-job-queue.ts';
import { measureJobs } from './job-metrics.ts';

const log = pino({ level: 'silent' });

it('lengths of queues are measured by kind and state, and not read more often than every five seconds', async () => {
  const timers = new SimulatedClock();
  const [ofService, ofProcess] = [new EmbeddedJobQueue({ timers, log }), new EmbeddedJobQueue({ timers, log })];
  let reads = 0;
  const lengths = ofService.lengths.bind(ofService);
  ofService.lengths = () => {
    reads += 1;
    return lengths();
  };
  const registry = new Registry();
  measureJobs(registry, { ofService, ofProcess }, timers);
  await ofService.add('video', 'a');
  await ofService.add('meeting', 'b', 60_000);
  await ofProcess.add('document', 'c');
  const first = await registry.metrics();
  expect(first).toContain('parley_jobs{of="service",queue="video",state="waiting"} 1');
  expect(first).toContain('parley_jobs{of="service",queue="meeting",state="delayed"} 1');
  expect(first).toContain('parley_jobs{of="process",queue="document",state="waiting"} 1');
  expect(first).toContain('parley_jobs{of="process",queue="retention",state="failed"} 0');
  await registry.metrics();
  expect(reads).toBe(1);
  timers.increment(5_000);
  // Redis is away: nothing is said of it, and the rest is.
  ofService.lengths = async () => null as never;
  const away = await registry.metrics();
  expect(away).not.toContain('{of="service"');
  expect(away).toContain('{of="process"');
});
