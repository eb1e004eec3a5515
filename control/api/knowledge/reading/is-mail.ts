import { asciiStart } from './ascii-start.ts';
import { messageIn } from './message-in.ts';

/** Fields are looked for in so much of a file: servers on the way add some 10 kB of them, at most. */
const MAX_FIELDS = 262_144;
/** Its name, of everything that is printable but a colon. */
const FIELD = /^([\x21-\x39\x3b-\x7e]+)[ \t]*:/;

/**
 * Whether it is a message, or a page that a browser saved as one (MHTML): fields first, among them those that every
 * message has. Line by line: one pattern for all of them took minutes where lines went on with several blanks.
 * @param isNamed whether its name says so: then one of them is enough.
 */
export function isMail(bytes: Buffer, isNamed: boolean): boolean {
  const fields = fieldsOf(isNamed ? messageIn(bytes) : bytes);
  const has = (...names: readonly string[]): boolean => names.every((name) => fields.has(name));
  // Confluence's "Word documents" are messages from nobody.
  if (has('mime-version', 'content-type')) return true;
  if (has('from', 'mime-version') || has('from', 'date', 'subject')) return true;
  return isNamed && ['from', 'subject', 'received', 'mime-version', 'content-type'].some((name) => fields.has(name));
}

/** Names of the fields in front of the first empty line; none where something else is among them. */
function fieldsOf(bytes: Buffer): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [index, line] of asciiStart(bytes, MAX_FIELDS).split(/\r?\n/).entries()) {
    if (line === '') return names;
    // The first line of a mailbox.
    if (/^[ \t]/.test(line) || (index === 0 && line.startsWith('From '))) continue;
    const name = FIELD.exec(line)?.[1];
    if (name === undefined) break;
    names.add(name.toLowerCase());
  }
  return new Set();
}
