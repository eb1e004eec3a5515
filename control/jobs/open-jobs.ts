import type { Logger } from '../../runtime/log.ts';
import type { Timers } from '../../runtime/clock.ts';
import { BullMqJobQueue } from './bullmq-job-queue.ts';
import { EmbeddedJobQueue } from './embedded-job-queue.ts';
import type { JobQueues } from './job-queue.ts';

/** The queues of a process that is alone, or whose fellows it does not know. */
export function embeddedJobs(options: { timers: Timers; log: Pick<Logger, 'warn'> }): JobQueues {
  const queue = new EmbeddedJobQueue(options);
  return { ofService: queue, ofProcess: queue };
}

/** @param redisUrl of the Redis of all processes; undefined: there is none. @throws StartError when it does not answer. */
export async function openJobs(
  redisUrl: string | undefined,
  options: { timers: Timers; log: Logger },
): Promise<JobQueues> {
  const embedded = embeddedJobs(options);
  if (redisUrl === undefined) return embedded;
  return { ...embedded, ofService: await BullMqJobQueue.open({ url: redisUrl, log: options.log }) };
}

export async function closeJobs({ ofService, ofProcess }: JobQueues): Promise<void> {
  await Promise.all([ofService.close(), ...(ofProcess === ofService ? [] : [ofProcess.close()])]);
}
