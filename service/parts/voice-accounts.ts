import { createHash } from 'node:crypto';
import { ttsServices, type Settings } from '../../control/index.ts';
import { createGuardedFetch, privateHosts, ttsProvider, type Logger } from '../../engine/index.ts';
import type { OfferedVoice, VoiceAccount } from '../../models/tts/account/voice-account.ts';
import { VoiceList } from '../../models/tts/account/voice-list.ts';
import type { VoiceTraits } from '../../models/tts/similar-voice.ts';
import { systemTimers, type Timers } from '../../runtime/clock.ts';
import { openVoiceCache } from './voice-cache.ts';
import { readProviderSample } from '../catalogue/provider-sample.ts';

/** The first start waits for the voices of accounts: personas may get them at once. Later starts know the last ones. */
const FIRST_LIST_MS = 5_000;

/** A TTS service of this deployment that tells of its voices. */
export interface AccountOfService {
  /** As in the settings: `tts`, `tts_cartesia`. */
  readonly service: string;
  /** Id of the provider. */
  readonly provider: string;
  /** The spelling of the HTTP API. */
  readonly apiName: string;
  readonly account: VoiceAccount;
}

export interface VoiceAccounts {
  readonly accounts: readonly AccountOfService[];
  /** @returns null when the service tells nothing of its voices, or never did. */
  voicesOf(service: string): readonly OfferedVoice[] | null;
  /** The same as traits, by the id of the provider: each is used by one service at most. */
  traitsOf(provider: string): readonly VoiceTraits[] | null;
  /** Reads the recording at an address that the service told. */
  readSample(service: string, address: string, signal: AbortSignal): Promise<Uint8Array>;
  /** Called after each list that came. */
  listen(changed: () => void): void;
  close(): Promise<void>;
}

/**
 * Asks the TTS services of the settings for the voices of their accounts, now and from time to time. Resolves when they
 * are known, or after a few seconds.
 */
export async function openVoiceAccounts(
  settings: Settings,
  dataDir: string,
  log: Pick<Logger, 'warn' | 'info'>,
  timers: Timers = systemTimers,
): Promise<VoiceAccounts> {
  const guarded = createGuardedFetch(privateHosts(settings.PARLEY_ALLOWED_PRIVATE_HOSTS));
  const services = servicesWithAccount(settings);
  const kept = await openVoiceCache(
    dataDir,
    services.map(({ key }) => key),
    log,
  );
  const listeners: (() => void)[] = [];
  const lists = new Map(
    services.map(({ service, account, key }) => {
      const list = new VoiceList({
        list: (signal) => account.list(signal),
        timers,
        kept: kept.of(key),
        changed(voices) {
          for (const changed of listeners) changed();
          kept.keep(key, voices);
        },
        failed: (error) =>
          log.warn(
            { err: error, service },
            'the voices of a TTS service could not be listed; the last known ones stay',
          ),
      });
      return [service, list] as const;
    }),
  );
  const unknown = [...lists.values()].filter(({ voices }) => voices === null);
  const first = Promise.all(unknown.map((list) => list.refresh()));
  for (const list of lists.values()) if (!unknown.includes(list)) void list.refresh();
  await Promise.race([first, new Promise((resolve) => timers.setTimeout(resolve, FIRST_LIST_MS))]);
  return {
    accounts: services,
    voicesOf: (service) => lists.get(service)?.voices ?? null,
    traitsOf(provider) {
      const service = services.find((one) => one.provider === provider)?.service;
      const voices = service === undefined ? null : (lists.get(service)?.voices ?? null);
      return voices === null ? null : voices.map(traits);
    },
    readSample(service, address, signal) {
      const { account } = services.find((one) => one.service === service)!;
      return readProviderSample(address, account, guarded.fetch, signal);
    },
    listen: (changed) => void listeners.push(changed),
    async close() {
      for (const list of lists.values()) list.close();
      await Promise.all([...services.map(({ account }) => account.close()), guarded.close(), kept.close()]);
    },
  };
}

const traits = ({ providerVoiceId, languages, gender }: OfferedVoice): VoiceTraits => ({
  providerVoiceId,
  language: languages?.[0] ?? null,
  gender,
});

/** Which account it is. The key itself is not written to disk. */
function keyOf(choice: { readonly provider: string; readonly options: Readonly<Record<string, unknown>> }): string {
  const { baseUrl, apiKey } = choice.options;
  const identity = JSON.stringify([choice.provider, baseUrl ?? null, apiKey ?? null]);
  return `${choice.provider} ${createHash('sha256').update(identity).digest('hex').slice(0, 16)}`;
}

function servicesWithAccount(settings: Settings) {
  return ttsServices(settings).flatMap(({ name, choice }) => {
    const provider = ttsProvider(choice.provider);
    const account = provider.account?.(choice.options as never);
    if (account === undefined) return [];
    return [{ service: name, provider: provider.id, apiName: provider.apiName, account, key: keyOf(choice) }];
  });
}
