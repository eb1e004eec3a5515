import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commentText, ROOT } from './machine-list.ts';

/** One event of a catalogue, as its source says it. */
export interface CataloguedEvent {
  readonly type: string;
  /** The heading above it. */
  readonly section: string;
  /** The comment above it. */
  readonly meaning: string;
}

/**
 * Reads a catalogue of events: a union of types whose members each stand on a line that begins with `|`, below their
 * comment. @param union the name of the type. @throws if a member has no type or no comment: both are wanted.
 */
export function readCatalogue(path: string, union: string): readonly CataloguedEvent[] {
  const source = readFileSync(join(ROOT, path), 'utf8');
  const begin = source.indexOf(`export type ${union} =`);
  const text = source.slice(begin, source.indexOf(';\n\n', begin));
  const events: CataloguedEvent[] = [];
  let section = '';
  let comment = '';
  // A heading, a comment or a member begins with two spaces; what belongs to it has more.
  for (const part of text.split(/\n(?= {2}(?:\/\/|\/\*\*|\|))/u).slice(1)) {
    const trimmed = part.trim();
    if (trimmed.startsWith('//')) section = trimmed.replace(/^\/\/ ── (.*?) ──.*$/su, '$1');
    else if (trimmed.startsWith('/**')) comment = commentText(trimmed);
    else {
      const type = /readonly type: '([^']+)'/u.exec(trimmed)?.[1];
      if (type === undefined || comment === '') throw new Error(`${path}: no type, or no comment above: ${trimmed}`);
      events.push({ type, section, meaning: comment });
      comment = '';
    }
  }
  return events;
}
