import { packageFolder, packageState } from '../../packages/installed.ts';
import type { EngineOf, ModelPackage } from '../../packages/model-package.ts';

/** A model of this machine that embeds texts; plain data, for its process. */
export interface EmbeddingModel {
  /** Of its package. */
  readonly id: string;
  readonly folder: string;
  readonly languages: readonly string[];
  readonly engine: EngineOf<'bert'>;
}

/** @param known in the order of preference. @returns the first one that is here; null: none. */
export async function findEmbeddingModel(
  modelsDir: string,
  known: readonly ModelPackage[],
): Promise<EmbeddingModel | null> {
  for (const each of known) {
    const { id, languages, engine } = each;
    if (engine.type === 'bert' && (await packageState(modelsDir, each)) === 'installed')
      return { id, languages, engine, folder: packageFolder(modelsDir, each) };
  }
  return null;
}
