import { setPrivateUmask, readSettings, SettingsError, type Settings } from '../control/index.ts';
import { limitAllocator } from '../runtime/allocator.ts';
import { startWatchdog } from '../runtime/watchdog.ts';
import { saveCompileCache } from '../runtime/compile-cache.ts';
import { banner } from './process/banner.ts';

import type { Guard } from './guard/connect-to-guard.ts';
import { exitImmediately } from './process/exit-immediately.ts';
import { openLog } from './process/log.ts';
import { openService } from './open-service.ts';
import { downloadInBackground } from './parts/background-model-download.ts';
import type { OpenService } from './service.ts';
import { startProblem } from './process/start-problem.ts';

/** The service of this process, from its start on. */
export interface RunningProcess {
  /** Conversations go on until they are over, or elsewhere: `scripts/drain.ts` waits for that. */
  drain(): void;
  /**
   * Ends the process. While it starts, or when it is asked again, there are no goodbyes. @param status of the exit then
   */
  stop(why: object, status: number): void;
}

/**
 * Starts the service with the settings of the environment. Ends the process when they are wrong (2), or the service
 * cannot start (1).
 * @param guard of this process. @defaultValue it has none
 */
export function runService(guard: Guard | null = null): RunningProcess {
  setPrivateUmask();
  limitAllocator();
  const settings = settingsOrExit();
  const log = openLog(settings.PARLEY_LOG_LEVEL);
  let phase: 'starting' | 'running' | 'stopping' = 'starting';

  async function start(): Promise<OpenService> {
    try {
      const service = await openService(settings, log, startAgain, guard);
      console.log(banner(settings, service));
      service.faces.start(console.log);
      if (settings.PARLEY_MODELS === 'on' && service.library !== null)
        downloadInBackground(service.library, settings, service.local, process.stderr);
      return service;
    } catch (error) {
      return couldNotStart(error, settings, log);
    }
  }

  /** Models are found and measured at the start, and everybody is offered the same: so new ones need another start. */
  function startAgain(): void {
    if (phase === 'stopping') return;
    log.info('starting again with the models that were fetched');
    running = running
      .then((service) => service.close())
      .then(start, (error: unknown) => {
        log.fatal({ err: error }, 'the service did not stop cleanly');
        return exitImmediately(1);
      });
  }

  let running = start();
  void running.then(() => {
    phase = 'running';
    started(guard);
  });
  function drain(): void {
    log.info('no further session is taken');
    void running
      .then((service) => service.drain())
      .catch((error: unknown) => log.error({ err: error }, 'other processes could not be told'));
  }

  function stop(why: object, status: number): void {
    if (phase !== 'running') exitImmediately(status);
    phase = 'stopping';
    log.info(why, 'stopping');
    const ended = running.then((service) => service.close());
    ended.then(
      () => exitImmediately(0),
      (error: unknown) => {
        log.error({ err: error }, 'the service did not stop cleanly');
        exitImmediately(1);
      },
    );
  }
  return { drain, stop };
}

function started(guard: Guard | null): void {
  guard?.tell({ kind: 'ready' });
  saveCompileCache();
  // Not before: a start on a slow machine may take longer.
  startWatchdog();
}

function couldNotStart(error: unknown, settings: Settings, log: ReturnType<typeof openLog>): never {
  const problem = startProblem(error, settings);
  if (problem === null) log.fatal({ err: error }, 'the service could not start');
  else console.error(`Parley could not start. ${problem}`);
  return exitImmediately(1);
}

function settingsOrExit(): Settings {
  try {
    return readSettings(process.env);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    console.error(`${error.message}\nAll settings: bash scripts/start.sh --help`);
    process.exit(2);
  }
}
