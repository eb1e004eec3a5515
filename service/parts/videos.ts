import { openVideoQueue, type EngineProcesses, type Reservations } from '../../control/index.ts';
import type { RunningEngine } from '../../engine/index.ts';

type QueueOptions = Parameters<typeof openVideoQueue>[0];

/**
 * Opens the queue of avatar videos. They are made by the engine of this process or by the engine processes of this machine,
 * where one has a free place.
 * @param options.engine null: not by this process. @param options.engines null: there are none.
 */
export function openVideos({
  engine,
  engines,
  reservations,
  ...options
}: Omit<QueueOptions, 'render' | 'mayStart'> & {
  readonly engine: RunningEngine | null;
  readonly engines: EngineProcesses | null;
  readonly reservations: Reservations;
}): ReturnType<typeof openVideoQueue> {
  return openVideoQueue({
    ...options,
    render:
      engines !== null
        ? (request) => engines.renderVideo(request)
        : engine === null
          ? null
          : (request) => engine.renderAvatarVideo(request),
    mayStart: () =>
      engines === null
        ? engine !== null && engine.status().free > reservations.count(null, null)
        : engines.list().some(({ state }) => (state?.status.free ?? 0) > 0),
  });
}
