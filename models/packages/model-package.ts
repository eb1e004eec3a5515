import { z } from 'zod';

/**
 * A model that Parley does not ship and that can be fetched from its publisher. Nothing here is needed: without any of
 * them Parley works with what is inside its npm and Debian packages.
 */

/** A path inside of a package's folder: names and slashes only. */
const insidePath = z
  .string()
  .max(256)
  .regex(/^[\w-][\w.+-]*(\/[\w-][\w.+-]*)*$/, 'must be a relative path of plain names');
const language = z.string().regex(/^[a-z]{2,3}$/, 'must be an ISO 639-1 code');

/** Which loader takes the files, and which file is what. */
const engine = z.discriminatedUnion('type', [
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
});

export const modelPackage = z
  .object({
    /** How it is asked for; also the name of its folder. */
    id: z.string().regex(/^[a-z0-9-]{1,64}$/, 'must be lower-case letters, digits and dashes'),
    kind: z.enum(['recognizer', 'final-pass', 'voice', 'noise', 'end-of-turn']),
    title: z.string().min(1).max(128),
    /** ISO 639-1; empty: any. */
    languages: z.array(language).max(100),
    /** SPDX identifier. */
    license: z.string().min(1).max(128),
    /** What else the license asks, or what else is inside. */
    notice: z.string().max(512).optional(),
    /** Where the publisher describes it. */
    home: z.url({ protocol: /^https?$/ }),
    url: z.url({ protocol: /^https?$/ }),
    /** Of the file behind the URL, lower-case hex. */
    sha256: z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hex digits in lower case'),
    bytes: z.int().min(1).max(4e9),
    /** Null: the file is the model. Else it is a `.tar.bz2`. */
    archive: z
      .object({
        /** The folder in which everything lies. */
        root: insidePath,
        /** Files and folders that are kept. */
        keep: z.array(insidePath).min(1).max(64),
        /** The most that all of it may be when it is unpacked. */
        mostBytes: z.int().min(1).max(8e9),
      })
      .nullable(),
    engine,
    voices: z.array(voice).max(1_000).default([]),
  })
  .refine(({ kind, voices }) => (kind === 'voice') === voices.length > 0, {
    path: ['voices'],
    message: 'a package has voices when its kind is "voice", and only then',
  })
  .refine(({ archive, engine }) => (archive === null) === (engine.type === 'file'), {
    path: ['engine'],
    message: 'an archive has an engine of several files, a single file the engine "file"',
  });

export type ModelPackage = z.output<typeof modelPackage>;
export type ModelEngine = ModelPackage['engine'];
export type EngineOf<T extends ModelEngine['type']> = Extract<ModelEngine, { type: T }>;
export type PackageVoice = ModelPackage['voices'][number];
