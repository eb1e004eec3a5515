/** Characters: two or three words. Shorter pieces sound chopped. */
const SHORTEST = 12;

/**
 * Cuts a sentence into breath groups: after a comma, colon, semicolon, dash or the end of a sentence. A neural voice
 * makes a piece as a whole. So the first words are heard as soon as the first piece is ready, and later pieces can
 * still be canceled.
 * @returns pieces that together are the text; each begins with a word.
 */
export function breathGroups(text: string): string[] {
  const groups: string[] = [];
  let group = '';
  for (const part of text.match(/\S+\s*|^\s+/gu) ?? []) {
    group += part;
    if (group.trim().length < SHORTEST || !/[,;:.!?…–—]["'”’)\]]*\s*$/u.test(group)) continue;
    groups.push(group);
    group = '';
  }
  if (group.trim().length >= SHORTEST || (group !== '' && groups.length === 0)) groups.push(group);
  else if (group !== '') groups.push(`${groups.pop()}${group}`);
  return groups;
}
