import {
  AvatarQueueFullError,
  embeddingsSettings,
  UnsuitableImageError,
  type PreviewRenderer,
  type AvatarMaker,
  type ControlPorts,
  type Settings,
} from '../../control/index.ts';
import {
  assertPublicUrl,
  checkConnection,
  PATIENT_DEADLINES,
  offeredModels,
  createGuardedDispatcher,
  createGuardedFetch,
  createLanguageModel,
  createOfflineLlm,
  download,
  guardedDial,
  LOCAL_VOICES,
  McpListingError,
  openEmbedder,
  openLanguageModels,
  portOf,
  privateHosts,
  postEvent,
  PublicUrlError,
  retryAfterMs,
  StartError,
  TooManyImagesError,
  UnsuitablePhotoError,
  tryTool,
  VERSION,
  type Fetch,
  type Logger,
  type RunningEngine,
} from '../../engine/index.ts';
import { CONFIGURED_LLM, listedLlmId } from '../catalogue/catalogue.ts';
import { llmsBehindCustom, llmsBehindListed, stockLlms } from '../settings/engine-settings.ts';
import { localEmbedder } from './local-models.ts';
import type { Providers } from './providers.ts';

/**
 * The service does not start without an answer of the embeddings endpoint. Otherwise documents would have no vectors.
 */
const EMBEDDINGS_PROBE_MS = 30_000;
/** The latencies of LLMs that customers add are counted together: their names are not for the operator. */
const CUSTOM_LLMS = 'custom-llms';

/**
 * What the control plane gets from the models, the engine and the network.
 * @param providers `latencies`: where they are timed; `listedLlms`: the operator's further LLMs.
 */
export async function controlPorts(
  settings: Settings,
  log: Pick<Logger, 'warn'>,
  { latencies, mcp, listedLlms: listed }: Pick<Providers, 'latencies' | 'mcp' | 'listedLlms'>,
): Promise<Pick<ControlPorts, 'publicUrls' | 'llms' | 'mcp' | 'tools' | 'embedder' | 'latencies' | 'postEvent'>> {
  const allowed = privateHosts(settings.PARLEY_ALLOWED_PRIVATE_HOSTS);
  const { fetch } = createGuardedFetch(allowed);
  const dial = (url: URL) => guardedDial(url, allowed);
  const offline = createOfflineLlm();
  // The operator's own endpoint may be on this machine, so the public-URL guard does not apply.
  const choices = stockLlms(settings);
  const configured = choices.length === 0 ? null : openLanguageModels(choices, { table: latencies });
  const stock = new Map(
    listed.map(({ id, choice, isZdr }) => [
      listedLlmId(id),
      openLanguageModels([choice, ...llmsBehindListed(settings, isZdr)], { table: latencies }),
    ]),
  );
  if (configured !== null) stock.set(CONFIGURED_LLM, configured);
  return {
    publicUrls: publicUrls(fetch, allowed),
    llms: {
      stock: (llmId) => stock.get(llmId) ?? offline,
      custom: (llm, { region, isZdr }) =>
        createLanguageModel(llm, {
          fetch,
          dial,
          region,
          behind: llmsBehindCustom(settings, isZdr),
          timed: { in: latencies, as: CUSTOM_LLMS },
        }),
      async check(llm, signal) {
        const result = await checkConnection(
          createLanguageModel(llm, { fetch, dial, fresh: true, deadlines: PATIENT_DEADLINES }),
          signal,
        );
        if (result.ok) return { message: null, notes: result.notes };
        const offered = result.code === 'bad-request' ? await offeredModels(llm, fetch, signal) : null;
        return { message: result.message, notes: offered === null ? result.notes : [...result.notes, offered] };
      },
    },
    mcp: {
      async list(server, signal) {
        try {
          return { ok: true, ...(await mcp.list(server, signal)) };
        } catch (error) {
          if (error instanceof McpListingError) return { ok: false, message: error.message };
          throw error;
        }
      },
    },
    tools: { run: (trial) => tryTool({ ...trial, fetch, mcp: mcp.calls(), log }) },
    embedder: await embedderOf(settings, latencies),
    latencies,
    postEvent: eventPost(allowed),
  };
}

function publicUrls(fetch: Fetch, allowed: ReturnType<typeof privateHosts>): ControlPorts['publicUrls'] {
  return {
    isException: (url) => allowed.allows(url.hostname, portOf(url)),
    download: (url, limits) => download(fetch, url, limits),
    async problemWith(url) {
      try {
        await assertPublicUrl(url, { allowed });
        return null;
      } catch (error) {
        if (error instanceof PublicUrlError) return error.message;
        throw error;
      }
    },
  };
}

/** Connections to one receiver. They are its own, so that events take none from conversations. */
const EVENT_CONNECTIONS = 8;

function eventPost(allowed: ReturnType<typeof privateHosts>): ControlPorts['postEvent'] {
  const dispatcher = createGuardedDispatcher(allowed, undefined, EVENT_CONNECTIONS);
  return async (event) => {
    const { retryAfter, ...answer } = await postEvent({ dispatcher, allowed }, event, `Parley/${VERSION}`);
    return { ...answer, ...(retryAfter !== undefined && { retryAfterMs: retryAfterMs(retryAfter, Date.now()) }) };
  };
}

async function embedderOf(settings: Settings, latencies: Providers['latencies']): Promise<ControlPorts['embedder']> {
  const choice = embeddingsSettings.choice(settings);
  if (choice === null) return localEmbedder(settings, latencies);
  return openEmbedder(choice, AbortSignal.timeout(EMBEDDINGS_PROBE_MS), latencies).catch((error: unknown) => {
    throw new StartError(`PARLEY_EMBEDDINGS_BASE_URL: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  });
}

/** Makes avatars from photos. Errors of the engine become errors of the control plane. */
export function avatarMaker({ photoAvatars }: RunningEngine): AvatarMaker {
  return {
    make: (request) =>
      photoAvatars.make(request).catch((error: unknown) => {
        if (error instanceof UnsuitablePhotoError) throw new UnsuitableImageError(error.message, { cause: error });
        if (error instanceof TooManyImagesError) throw new AvatarQueueFullError(error.message, { cause: error });
        throw error;
      }),
    remove: (engineKey) => photoAvatars.remove(engineKey),
  };
}

/** As the images of avatars in lists. */
const PREVIEW_SIZE = { width: 720, height: 480 } as const;

/** Short videos of avatars, made by the engine with a voice that needs no account. */
export function previewRenderer(engine: Pick<RunningEngine, 'renderIdleVideo' | 'renderAvatarVideo'>): PreviewRenderer {
  return {
    async idle(request) {
      await engine.renderIdleVideo({ ...request, ...PREVIEW_SIZE });
    },
    async introduction({ displayName, gender, ...request }) {
      const voice = LOCAL_VOICES.find((one) => one.gender === gender) ?? LOCAL_VOICES[0]!;
      await engine.renderAvatarVideo({
        ...request,
        ...PREVIEW_SIZE,
        script: `Hello! I am ${displayName}. What would you like to talk about?`,
        provider: voice.provider,
        providerVoiceId: voice.providerVoiceId,
        language: 'en',
        tuning: {},
        acts: false,
        expressivity: null,
        baselineStyle: null,
      });
    },
  };
}
