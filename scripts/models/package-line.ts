import type { PackageState } from '../../models/packages/installed.ts';
import { packageBytes, type ModelPackage } from '../../models/packages/model-package.ts';
import { sourceBytes, sourceName, type PackageSource } from '../../models/packages/package-source.ts';
import { megabytes } from '../../service/process/progress-line.ts';

const KINDS: Readonly<Record<ModelPackage['kind'], string>> = {
  recognizer: 'recognition while somebody speaks',
  'final-pass': 'recognition of the whole utterance',
  voice: 'voice',
  noise: 'noise filter',
  'end-of-turn': 'end of turn',
  embeddings: 'knowledge by meaning',
};

/** @returns several lines for the terminal about one package. */
export function packageLine(known: ModelPackage, state: PackageState): string {
  const { id, kind, title, languages, license, notice, home, sources, voices, leastCores } = known;
  const count = voices.length > 1 ? `, ${voices.length} voices` : '';
  return [
    `${id}${state === 'installed' ? '  (here)' : state === 'damaged' ? '  (damaged: fetch it again)' : ''}`,
    `  ${title}: ${KINDS[kind]}${count}; ${languages.length === 0 ? 'any language' : languages.map(languageName).join(', ')}`,
    `  ${megabytes(packageBytes(known))} MB, ${license}${notice === undefined ? '' : `. ${notice}`}`,
    ...(leastCores === undefined ? [] : [`  From ${leastCores} cores on`]),
    `  ${home}`,
    ...sources.flatMap(sourceLines),
  ].join('\n');
}

function sourceLines(source: PackageSource): string[] {
  const parts = source.type === 'publisher' ? [source] : source.archives;
  const sums = parts.map(({ sha256 }) => `    SHA-256 ${sha256}`);
  return [`  ${sourceName(source)}, ${megabytes(sourceBytes(source))} MB`, ...sums];
}

const names = new Intl.DisplayNames(['en'], { type: 'language' });

/** @param code ISO 639-1. */
export function languageName(code: string): string {
  return names.of(code) ?? code;
}
