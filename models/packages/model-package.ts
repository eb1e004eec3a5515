import { z } from 'zod';
import { insidePath } from './inside-path.ts';
import { packageSource, sourceBytes, type PackageSource } from './package-source.ts';

/**
 * A model that Parley does not ship and that can be fetched from its publisher. Nothing here is needed: without any of
 * them Parley works with what is inside its npm and Debian packages.
 */

const language = z.string().regex(/^[a-z]{2,3}$/, 'must be an ISO 639-1 code');

/** Which loader takes the files, and which file is what. */
const engineSchema = z.discriminatedUnion('type', [
  /** Streaming transducer: words while somebody speaks. */
  z.object({
    type: z.literal('zipformer'),
    encoder: insidePath,
    decoder: insidePath,
    joiner: insidePath,
    tokens: insidePath,
    /** It writes capitals only, without punctuation. */
    capitals: z.boolean().default(false),
  }),
  /** Understand whole utterances: Moonshine those of its language, Whisper those of the language that it is told. */
  z.object({ type: z.literal('moonshine'), encoder: insidePath, decoder: insidePath, tokens: insidePath }),
  z.object({ type: z.literal('whisper'), encoder: insidePath, decoder: insidePath, tokens: insidePath }),
  /** Speaks. Pronunciation comes from the data of espeak-ng, or from a lexicon. */
  z.object({
    type: z.literal('vits'),
    model: insidePath,
    tokens: insidePath,
    espeakData: insidePath.optional(),
    lexicon: insidePath.optional(),
  }),
  z.object({
    type: z.enum(['kitten', 'kokoro']),
    model: insidePath,
    voices: insidePath,
    tokens: insidePath,
    espeakData: insidePath,
  }),
  /** Embeds texts. `dimensions`: the length of its vectors. `leastCloseness`: of two texts about the same, as a cosine. */
  z.object({
    type: z.literal('bert'),
    model: insidePath,
    tokenizer: insidePath,
    tokenizerConfig: insidePath,
    dimensions: z.int().min(1).max(4_096),
    leastCloseness: z.number().min(0).max(1).optional(),
  }),
  /** One file for a loader of another part. */
  z.object({ type: z.literal('file'), path: insidePath }),
]);

const voice = z.object({
  /** Unique within the package. */
  id: z.string().regex(/^[a-z0-9-]{1,64}$/, 'must be lower-case letters, digits and dashes'),
  displayName: z.string().min(1).max(64),
  gender: z.enum(['male', 'female', 'neutral']),
  /** ISO 3166-1 alpha-2 of the accent. */
  country: z.string().regex(/^[A-Z]{2}$/, 'must be a country code of two capitals'),
  /** Its number in the model. */
  speaker: z.int().min(0).max(10_000).default(0),
  /** ISO 639-1; where a package has voices of several languages. Absent: all languages of the package. */
  language: language.optional(),
  /** Its language and accent, for `kokoro`: the name of a file of espeak-ng. Absent: that of the model. */
  lang: z
    .string()
    .regex(/^[a-z]{2,3}(-[a-z]{2,8})?$/, 'must be a language of espeak-ng')
    .optional(),
});

export const modelPackage = z
  .object({
    /** How it is asked for; also the name of its folder. */
    id: z.string().regex(/^[a-z0-9-]{1,64}$/, 'must be lower-case letters, digits and dashes'),
    kind: z.enum(['recognizer', 'final-pass', 'voice', 'noise', 'end-of-turn', 'embeddings']),
    title: z.string().min(1).max(128),
    /** ISO 639-1; empty: any. */
    languages: z.array(language).max(100),
    /** SPDX identifier. */
    license: z.string().min(1).max(128),
    /** What else the license asks, or what else is inside. */
    notice: z.string().max(512).optional(),
    /** Where the publisher describes it. */
    home: z.url({ protocol: /^https?$/ }),
    /** Each gives the same model; whichever answers first is used. */
    sources: z.array(packageSource).min(1).max(8),
    engine: engineSchema,
    /** A machine with fewer cores is not offered it, and does not use it by itself. Absent: any. */
    leastCores: z.int().min(1).max(64).optional(),
    voices: z.array(voice).max(1_000).default([]),
  })
  .refine(({ kind, voices }) => (kind === 'voice') === voices.length > 0, {
    path: ['voices'],
    message: 'a package has voices when its kind is "voice", and only then',
  })
  .refine(
    ({ languages, voices }) => voices.every((each) => each.language === undefined || languages.includes(each.language)),
    { path: ['voices'], message: 'a voice has a language that the package does not have' },
  )
  .superRefine(({ sources, engine }, context) => {
    for (const source of sources) {
      const message = sourceProblem(source, engine);
      if (message !== null) context.addIssue({ code: 'custom', path: ['sources'], message });
    }
  });

/** @returns what is wrong with a source for this engine; null: nothing. */
function sourceProblem(source: PackageSource, engine: z.output<typeof engineSchema>): string | null {
  const isFile = engine.type === 'file';
  if (source.type === 'publisher')
    return (source.archive === null) === isFile
      ? null
      : 'an archive has an engine of several files, a single file the engine "file"';
  if (isFile) return source.members.some(({ to }) => to === engine.path) ? null : 'no member is the file of the engine';
  const made = source.convert?.type;
  if (made === 'whisper' && engine.type !== 'whisper') return 'this conversion makes the engine "whisper"';
  if (made === 'bert' && engine.type !== 'bert') return 'this conversion makes the engine "bert"';
  if (made === 'kokoro' && engine.type !== 'kokoro') return 'this conversion makes the engine "kokoro"';
  if (made === 'piper' && engine.type !== 'vits') return 'this conversion makes the engine "vits"';
  return null;
}

/** Whether a machine with so many cores is offered it, and uses it by itself. */
export function hasCoresFor({ leastCores = 1 }: Pick<ModelPackage, 'leastCores'>, cores: number): boolean {
  return cores >= leastCores;
}

/** How much is fetched, from the preferred source. */
export function packageBytes({ sources }: Pick<ModelPackage, 'sources'>): number {
  const [first] = sources;
  return first === undefined ? 0 : sourceBytes(first);
}

export type ModelPackage = z.output<typeof modelPackage>;
export type ModelEngine = ModelPackage['engine'];
export type EngineOf<T extends ModelEngine['type']> = Extract<ModelEngine, { type: T }>;
