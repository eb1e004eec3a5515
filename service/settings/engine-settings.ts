import { existsSync } from 'node:fs';
import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os';
import { join, resolve } from 'node:path';
import {
  llmFallbackSettings,
  llmSettings,
  LOCAL_STT,
  sttFallbackSettings,
  sttSettings,
  ttsServices,
  type Settings,
} from '../../control/index.ts';
import type { ProviderChoice } from '../../models/provider.ts';
import {
  isLocal,
  isLoopback,
  NEURAL_STT,
  NO_MODELS,
  sttProvider,
  type LocalModels,
  type EngineSettings,
  type RecognizerChoice,
} from '../../engine/index.ts';

/**
 * @param settings as read from the environment. @param local models that are here. @returns what the engine is opened
 * with.
 */
export function engineSettings(settings: Settings, local: LocalModels = NO_MODELS): EngineSettings {
  return {
    publicAddresses: publicAddresses(settings),
    ownMachineAddresses: ownMachineAddresses(settings),
    udpPort: settings.PARLEY_UDP_PORT,
    tcpPort: iceTcpPort(settings),
    capacity: settings.PARLEY_MAX_SESSIONS,
    dataDir: resolve(settings.PARLEY_DATA_DIR),
    recognizers: recognizers(settings, local),
    keyTerms: settings.PARLEY_STT_KEY_TERMS,
    modelsDir: resolve(modelsDir(settings)),
    local,
    noise: { filter: settings.PARLEY_NOISE_FILTER, modelsDir: resolve(modelsDir(settings)) },
    endOfTurnModel: endOfTurnModel(settings),
    tts: ttsServices(settings).map(({ name, choice, voices }) => ({
      ...choice,
      voices,
      isZdr: settings.PARLEY_ZDR_SERVICES.includes(name),
    })),
    offlineFallback: settings.PARLEY_OFFLINE_FALLBACK,
    idleLoops: settings.PARLEY_DRAW_AHEAD,
    lipSyncModel: settings.PARLEY_LIPSYNC_MODEL ?? null,
    videoCodecs: settings.PARLEY_VIDEO_CODECS.length > 0 ? settings.PARLEY_VIDEO_CODECS : ['h264', 'vp8'],
    allowedPrivateHosts: settings.PARLEY_ALLOWED_PRIVATE_HOSTS,
  };
}

export function modelsDir(settings: Settings): string {
  return settings.PARLEY_MODELS_DIR ?? join(settings.PARLEY_DATA_DIR, 'models');
}

/** @returns null: none; undefined: the number of the UDP port, if it is free. */
function iceTcpPort({ PARLEY_ICE_TCP_PORT: chosen, PARLEY_UDP_PORT: udp, PORT: http }: Settings) {
  if (chosen !== undefined) return chosen === 'off' ? null : chosen;
  return udp === http && udp !== 0 ? null : undefined;
}

/** What clients are told to send media to: what the operator says, else the machine's own addresses. */
function publicAddresses(settings: Settings): string[] {
  const { PARLEY_PUBLIC_IP: told, PARLEY_HOST: host } = settings;
  if (told !== undefined) return [told];
  if (host === 'localhost') return ['127.0.0.1'];
  // Browsers without an address of IPv6 reach only the other one.
  if (host === '::1') return [host, '127.0.0.1'];
  if (host !== '0.0.0.0' && host !== '::') return [host];
  const reachable = ownAddresses()
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address);
  return [...reachable, '127.0.0.1'];
}

/** For a service that only this machine reaches, one address of it that is not loopback, if there is one. */
function ownMachineAddresses(settings: Settings): string[] {
  if (!publicAddresses(settings).every(isLoopback)) return [];
  const others = ownAddresses().filter(({ internal, scopeid }) => !internal && !scopeid);
  const chosen = others.find(({ family }) => family === 'IPv4') ?? others[0];
  return chosen === undefined ? [] : [chosen.address];
}

function ownAddresses(): NetworkInterfaceInfo[] {
  return Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
}

interface OperatorLlm {
  readonly choice: ProviderChoice;
  /** The operator says that it keeps nothing. */
  readonly isZdr: boolean;
}

/** The LLM of the settings `PARLEY_LLM_…` or `PARLEY_LLM_FALLBACK_…`; none without them. */
function operatorLlm(settings: Settings, kind: typeof llmSettings | typeof llmFallbackSettings): OperatorLlm[] {
  const choice = kind.choice(settings);
  return choice === null ? [] : [{ choice, isZdr: settings.PARLEY_ZDR_SERVICES.includes(kind.kind.toLowerCase()) }];
}

/** From an LLM that keeps nothing only such ones take over. */
function behind(first: Pick<OperatorLlm, 'isZdr'>, others: readonly OperatorLlm[]): ProviderChoice[] {
  return others.filter(({ isZdr }) => isZdr || !first.isZdr).map(({ choice }) => choice);
}

/** @returns the LLMs that the stock LLM is, the preferred one first. */
export function stockLlms(settings: Settings): ProviderChoice[] {
  const [first] = operatorLlm(settings, llmSettings);
  return first === undefined ? [] : [first.choice, ...behind(first, operatorLlm(settings, llmFallbackSettings))];
}

/** @returns which LLMs take over when a further one of the operator fails. @param isZdr that one keeps nothing. */
export function llmsBehindListed(settings: Settings, isZdr: boolean): ProviderChoice[] {
  return behind({ isZdr }, operatorLlm(settings, llmFallbackSettings));
}

/** @returns which LLMs of the operator take over when a customer's fails. @param isZdr the customer's keeps nothing. */
export function llmsBehindCustom(settings: Settings, isZdr: boolean): ProviderChoice[] {
  if (!settings.PARLEY_CUSTOM_LLM_FALLBACK) return [];
  return behind({ isZdr }, [...operatorLlm(settings, llmSettings), ...operatorLlm(settings, llmFallbackSettings)]);
}

/**
 * @returns the recognizers that are used, the preferred one first. A neural model that is here is better than the
 * stand-in. Behind services comes an offline one, unless the operator wants none.
 */
export function recognizers(settings: Settings, local: LocalModels = NO_MODELS): RecognizerChoice[] {
  const chosen = [sttSettings, sttFallbackSettings]
    .map((kind) => kind.choice(settings))
    .filter((choice) => choice !== null);
  const isNamed = settings.PARLEY_STT_PROVIDER !== undefined || local.recognizers.length === 0;
  const used: RecognizerChoice[] = chosen.map((choice, index) => {
    const standsIn = sttProvider(choice.provider).standIn !== undefined;
    return index === 0 && standsIn && !isNamed ? { provider: NEURAL_STT, options: {} } : choice;
  });
  return !settings.PARLEY_OFFLINE_FALLBACK || used.some(isLocal) ? used : [...used, offlineRecognizer(local)];
}

function offlineRecognizer(local: LocalModels): RecognizerChoice {
  if (local.recognizers.length > 0) return { provider: NEURAL_STT, options: {} };
  return { provider: LOCAL_STT, options: sttProvider(LOCAL_STT).options.parse({}) };
}

/** The file that is fetched is used without being named. */
function endOfTurnModel(settings: Settings): string | null {
  const named = settings.PARLEY_END_OF_TURN_MODEL;
  if (named !== undefined) return named === 'off' ? null : named;
  const fetched = join(modelsDir(settings), 'smart-turn-v3.2-cpu.onnx');
  return existsSync(fetched) ? fetched : null;
}
