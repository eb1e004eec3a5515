import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { modelPackage, type ModelPackage } from './model-package.ts';
import { PUBLISHED_PACKAGES } from './published.ts';

const ownPackages = z.array(modelPackage).max(1_000);

/**
 * The packages that can be fetched and used: those of `published.ts`, and an operator's own.
 * @param ownFile path of a JSON file with an array of packages; one with the id of a published one takes its place.
 * Null: none. @throws Error naming what is wrong with the file.
 */
export function knownPackages(ownFile: string | null): ModelPackage[] {
  const own = ownFile === null ? [] : readOwn(ownFile);
  const ids = new Set(own.map(({ id }) => id));
  return [...own, ...PUBLISHED_PACKAGES.filter(({ id }) => !ids.has(id))];
}

function readOwn(path: string): ModelPackage[] {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`The list of models ${path} cannot be read: ${error instanceof Error ? error.message : ''}`, {
      cause: error,
    });
  }
  const parsed = ownPackages.safeParse(Array.isArray(content) ? content.map(withSources) : content);
  if (!parsed.success) throw new Error(`The list of models ${path} is not valid.\n${z.prettifyError(parsed.error)}`);
  const ids = parsed.data.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw new Error(`The list of models ${path} has "${twice}" twice.`);
  return parsed.data;
}

/** A list from before there were several sources: each package had one address. */
function withSources(entry: unknown): unknown {
  if (typeof entry !== 'object' || entry === null || !('url' in entry) || 'sources' in entry) return entry;
  const { url, sha256, bytes, archive, ...rest } = entry as Record<string, unknown>;
  return { ...rest, sources: [{ type: 'publisher', url, sha256, bytes, archive }] };
}
