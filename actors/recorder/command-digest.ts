import { createHash } from 'node:crypto';
import type { SessionCommand } from '../commands.ts';
import { canonicalJson } from '../tools/canonical-json.ts';

/** Enough to tell commands apart, too little to tell what was said: 48 bits. */
const DIGEST_LETTERS = 12;

/** @param command one of the tree's, or what an older version of the log made of it. */
export function commandDigest(command: SessionCommand | object): string {
  return createHash('sha256')
    .update(canonicalJson(decided(command)))
    .digest('hex')
    .slice(0, DIGEST_LETTERS);
}

/** Without the code of a warning, which follows from its text: older logs do not know it. */
function decided(command: SessionCommand | object): object {
  if (!('type' in command) || command.type !== 'signal.warning' || !('code' in command)) return command;
  const { code: _, ...rest } = command;
  return rest;
}
