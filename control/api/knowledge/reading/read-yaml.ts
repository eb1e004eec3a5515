import { parseAllDocuments } from 'yaml';
import { decodeText } from './decode-text.ts';
import { entries } from './read-json.ts';
import { readText } from './read-text.ts';
import type { Section } from './section.ts';

/** Lists of questions, products, settings: read like JSON. What is no valid YAML is read as text. */
export function* readYaml(bytes: Buffer): Generator<Section> {
  const values = valuesIn(decodeText(bytes).text);
  if (values === null) yield* readText(bytes);
  else for (const value of values) yield* entries(value, []);
}

function valuesIn(text: string): unknown[] | null {
  const documents = parseAllDocuments(text, {
    logLevel: 'silent',
    uniqueKeys: false,
    // Every value but null is a text as it stands there: 01234 is a postcode, and 1.10 a price.
    schema: 'failsafe',
    customTags: ['null'],
    merge: true,
  });
  if (!Array.isArray(documents) || documents.some(({ errors }) => errors.length > 0)) return null;
  try {
    return documents.map((document) => document.toJS() as unknown);
  } catch {
    // More aliases than there may be.
    return null;
  }
}
