import {
  stockId,
  type Catalogue,
  type Image,
  type ImageShape,
  type Settings,
  type StockAvatar,
  type StockLlm,
} from '../../control/index.ts';
import {
  AVATAR_CATALOGUE,
  isLocal,
  NEURAL_STT,
  NO_MODELS,
  sttProvider,
  type LocalModels,
  type RunningEngine,
} from '../../engine/index.ts';
import { recognizers, stockLlms } from '../settings/engine-settings.ts';
import type { StockLlmEntry } from './stock-llms.ts';
import { defaultVoice, stockVoices } from './stock-voices.ts';
import type { VoiceAccounts } from '../parts/voice-accounts.ts';
import { isMarked } from './zdr-marks.ts';

export const OFFLINE_LLM = stockId('llm', 'offline');
export const CONFIGURED_LLM = stockId('llm', 'configured');

/** What clients call the default LLM, whichever it is. */
const DEFAULT_ALIASES = ['SERVICE_LLAMA_v3_3_70B_V1', 'SERVICE_GPT_4O_MINI_V1'];

/** Sizes of the still images of an avatar. The square one is cut from the landscape image by whoever shows it. */
const IMAGES = { square: [720, 480], landscape: [1152, 768], portrait: [768, 1152] } as const;

/** @returns the id of an LLM that the operator lists. It depends on the operator's name for it alone. */
export const listedLlmId = (id: string): string => stockId('llm', `listed ${id}`);

/**
 * What this deployment offers to everybody: its voices, faces and LLMs.
 * @param local models that are here. @param listed the operator's further LLMs. @param accounts what the TTS services
 * tell of their voices.
 */
export function stockCatalogue(
  settings: Settings,
  engine: RunningEngine,
  local: LocalModels = NO_MODELS,
  listed: readonly StockLlmEntry[] = [],
  accounts: VoiceAccounts | null = null,
): Catalogue {
  const llms = llmProviders(settings, listed);
  let voices = stockVoices(settings, local, accounts);
  accounts?.listen(() => {
    voices = stockVoices(settings, local, accounts);
  });
  return {
    get voices() {
      return voices;
    },
    get defaultVoiceId() {
      return defaultVoice(settings, voices).id;
    },
    avatars: avatars(engine),
    llms,
    isZdr: {
      stt: recognizers(settings, local).every(
        (choice, index) => isLocal(choice) || isMarked(settings, index === 0 ? 'stt' : 'stt_fallback'),
      ),
      embeddings: isMarked(settings, 'embeddings'),
    },
    recognizers: recognizers(settings, local).map(({ provider }) => ({
      id: provider,
      // What was fetched, instead of all that could be.
      languages:
        provider === NEURAL_STT ? local.recognizers.map(({ language }) => language) : sttProvider(provider).languages,
    })),
    recognizedLanguages: engine.recognizedLanguages,
    defaultLlmId: llms.find(({ deprecated }) => !deprecated)?.id ?? OFFLINE_LLM,
  };
}

function avatars(engine: RunningEngine): StockAvatar[] {
  return AVATAR_CATALOGUE.map((avatar) => ({
    id: stockId('avatar', avatar.engineKey),
    displayName: avatar.displayName,
    variantName: avatar.variantName,
    engineKey: avatar.engineKey,
    // The classic size is the default: it asks the least of a machine.
    models: ['cara-3', 'cara-2', 'cara-4', 'cara-4-latest'],
    description: avatar.description,
    displayTags: avatar.tags,
    renderStyle: avatar.renderStyle,
    image: keptImages(async (shape) => {
      const [width, height] = IMAGES[shape];
      return { bytes: await engine.renderPoster(avatar.engineKey, width, height), contentType: 'image/jpeg' };
    }),
  }));
}

/**
 * Keeps what was rendered (30 to 100 KB each, few shapes): the thread that renders is busy for minutes after the first
 * start, and every list of faces asks for all of them.
 */
function keptImages(render: (shape: ImageShape) => Promise<Image>): (shape: ImageShape) => Promise<Image> {
  const kept = new Map<ImageShape, Promise<Image>>();
  return (shape) => {
    const known = kept.get(shape);
    if (known !== undefined) return known;
    const image = render(shape);
    kept.set(shape, image);
    image.catch(() => kept.delete(shape));
    return image;
  };
}

/** The operator's default one first, the offline one last. */
function llmProviders(settings: Settings, listed: readonly StockLlmEntry[]): StockLlm[] {
  const offline: StockLlm = {
    id: OFFLINE_LLM,
    aliases: ['SERVICE_OFFLINE_V1'],
    displayName: 'Offline LLM',
    description:
      'Rules instead of a model: greets, answers from attached knowledge, calls the tools that the words ask for. Needs no account.',
    llmFormat: 'none',
    modelName: 'offline',
    displayTags: ['offline'],
    isZdr: true,
    deprecated: false,
  };
  const [stock] = stockLlms(settings);
  const further = listed.map(listedLlm);
  if (stock === undefined) {
    const first = further.find(({ deprecated }) => !deprecated) ?? offline;
    return [...further, offline].map((llm) =>
      llm === first ? { ...llm, aliases: [...llm.aliases, ...DEFAULT_ALIASES] } : llm,
    );
  }
  const model = String(stock.options['model']);
  const configured: StockLlm = {
    id: CONFIGURED_LLM,
    aliases: DEFAULT_ALIASES,
    displayName: model,
    description: 'The model that this deployment is configured with.',
    llmFormat: stock.provider,
    modelName: model,
    displayTags: [],
    // Then those behind it are marked, too: see `stockLlms`.
    isZdr: isMarked(settings, 'llm'),
    deprecated: false,
  };
  return [configured, ...further, offline];
}

function listedLlm({ id, choice, ...entry }: StockLlmEntry): StockLlm {
  return {
    ...entry,
    id: listedLlmId(id),
    aliases: [],
    llmFormat: choice.provider,
    modelName: String(choice.options['model']),
    displayTags: [],
  };
}
