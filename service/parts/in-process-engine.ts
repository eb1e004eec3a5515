import type { SealedJournals, Settings } from '../../control/index.ts';
import { openEngine, type EngineSettings, type Logger, type RunningEngine } from '../../engine/index.ts';
import { engineSettings } from '../settings/engine-settings.ts';
import type { Photos } from './photos.ts';
import type { Providers } from './providers.ts';
import type { Records } from './records.ts';

/** The parts of this process's engine. */
export interface InProcessEngineParts {
  readonly settings: Settings;
  readonly providers: Providers;
  readonly photos: Pick<Photos, 'shared'>;
  readonly records: Records;
  /** Null: sessions end with this process. */
  readonly journals: SealedJournals | null;
  readonly log: Logger;
}

/**
 * Opens the engine of this process. The caller closes it before all other parts, so that its sessions can say goodbye.
 * @param among the owner of its media ports, and its sibling engines. @defaultValue it is alone
 */
export async function openInProcessEngine(
  { settings, providers, photos, records, journals, log }: InProcessEngineParts,
  among: Pick<EngineSettings, 'iceCredentials' | 'portOwner' | 'siblings'>,
): Promise<RunningEngine> {
  const engine = await openEngine(
    {
      ...engineSettings(settings, providers.local),
      latencies: providers.latencies,
      mcp: providers.mcp,
      toldVoices: providers.voiceAccounts.traitsOf,
      sharedPhotos: photos.shared,
      traces: records.traces !== null,
      ...among,
    },
    records.sessions,
    log,
    journals,
  );
  if (engine.tcpPort === null && settings.PARLEY_ICE_TCP_PORT !== 'off')
    log.warn(
      'There is no TCP port for media, because the number of the UDP port is in use: clients whose networks block UDP cannot connect. Set PARLEY_ICE_TCP_PORT to another port, or to off.',
    );
  return engine;
}
