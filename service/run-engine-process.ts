/** One of several engine processes of a service. `scripts/parley.ts` starts it, and tells it what it is. */
import { setPrivateUmask, connectToSupervisor, readSettings } from '../control/index.ts';
import { exitImmediately } from './process/exit-immediately.ts';
import { openLog } from './process/log.ts';
import { openEngineProcess, type OpenEngineProcess } from './engine-process.ts';
import { limitAllocator } from '../runtime/allocator.ts';
import { saveCompileCache } from '../runtime/compile-cache.ts';
import { startProblem } from './process/start-problem.ts';

/** A goodbye takes a second, ms. What `runtime/orphan-reaper.ts` allows is a second more. */
const EXIT_WITHIN_MS = 4_000;

setPrivateUmask();
limitAllocator();
// The supervisor read them before.
const settings = readSettings(process.env);
let service: OpenEngineProcess | null = null;
let stopping = false;

function stop(why: 'asked' | 'alone'): void {
  if (stopping) return;
  stopping = true;
  if (why === 'alone') setTimeout(() => exitImmediately(1), EXIT_WITHIN_MS).unref();
  if (service === null) return exitImmediately(0);
  service.close().then(
    () => exitImmediately(0),
    () => exitImmediately(1),
  );
}

// A terminal and a service manager send these signals to all processes. The supervisor decides what to do.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGUSR2', 'SIGHUP'] as const) process.on(signal, () => {});

const supervisor = await connectToSupervisor(stop);
const { number } = supervisor.beginning;
const log = openLog(settings.PARLEY_LOG_LEVEL).child({ engineProcess: number });
try {
  service = await openEngineProcess(settings, log, supervisor);
  supervisor.tell({ kind: 'ready' });
  saveCompileCache();
  if (number === 1) service.faces.start(console.log);
} catch (error) {
  const problem = startProblem(error, settings);
  if (problem === null) log.fatal({ err: error }, 'an engine process could not start');
  else supervisor.tell({ kind: 'unable', problem });
  await supervisor.sent();
  exitImmediately(1);
}
