import { availableParallelism, totalmem } from 'node:os';
import type { Settings } from '../../control/index.ts';
import { shareOf, type ProcessShare } from '../../runtime/process-share.ts';

/**
 * What one main thread serves: it has 29 % of a session's time and may be busy for 70 % of its own, all cores for 75 %
 * (`engine/capacity/places.ts`). So it is full when its sessions use 2.4 cores, which are three quarters of 3.2.
 */
const CORES_OF_ENGINE = 3.2;
/** Below it, one process has all of the machine: a second one would only cost memory. */
const MIN_CORES = 4;
/** Of a process with its models and the sessions of its cores. */
const BYTES_OF_ENGINE = 1.5 * 1024 ** 3;
const MOST = 64;

export interface MachineSize {
  readonly cores: number;
  readonly memoryBytes: number;
  /** Only Linux lets processes share ports as several engines need it. @defaultValue linux */
  readonly platform?: NodeJS.Platform;
}

const thisMachine = (): MachineSize => ({
  cores: availableParallelism(),
  memoryBytes: Math.min(totalmem(), process.constrainedMemory() || Infinity),
  platform: process.platform,
});

/** @returns how many engine processes this service has; 1: it is one process itself. */
export function engineCount(
  { PARLEY_ENGINES: wanted, PARLEY_ROLE: role, PARLEY_NODE_URL: nodeUrl }: EngineCountSettings,
  { cores, memoryBytes, platform = 'linux' }: MachineSize = thisMachine(),
): number {
  if (role !== 'all' || nodeUrl !== undefined) return 1;
  if (wanted !== 'auto') return wanted;
  if (cores < MIN_CORES || platform !== 'linux') return 1;
  // Two at least: when one dies, the sessions of the other go on.
  const byCores = Math.max(2, Math.ceil(cores / CORES_OF_ENGINE));
  return Math.max(1, Math.min(byCores, Math.floor(memoryBytes / BYTES_OF_ENGINE), MOST));
}

export type EngineCountSettings = Pick<Settings, 'PARLEY_ENGINES' | 'PARLEY_ROLE' | 'PARLEY_NODE_URL'>;

/** @returns the names of all engine processes that this service has or ever had. */
export function engineIds(engineId: string): string[] {
  return [engineId, ...Array.from({ length: MOST }, (_, index) => engineIdOf(engineId, index + 1))];
}

export function engineIdOf(engineId: string, number: number): string {
  return `${engineId}.${number}`;
}

/** @returns the settings with which an engine process runs. */
export function settingsOfEngine(
  settings: Settings,
  { number, engines }: { readonly number: number; readonly engines: number },
): Settings {
  const share: ProcessShare = { number, processes: engines };
  const { PARLEY_MAX_SESSIONS: sessions, PARLEY_MAX_MEETINGS: meetings } = settings;
  return {
    ...settings,
    PARLEY_ROLE: 'engine',
    PARLEY_ENGINE_ID: engineIdOf(settings.PARLEY_ENGINE_ID, number),
    PARLEY_MAX_SESSIONS: sessions === 'auto' ? sessions : shareOf(sessions, share),
    // Each can go into one meeting at least.
    PARLEY_MAX_MEETINGS: Math.max(1, shareOf(meetings, share)),
  };
}
