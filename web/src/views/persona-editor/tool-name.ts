/** Longest name of a tool that is made of the name of its knowledge; a number may follow. */
const MAX_NAME_LENGTH = 50;

/** "House rules" → "search_house_rules", or with a number if there is such a tool. */
export function toolName(groupName: string, taken: ReadonlySet<string>): string {
  const words = groupName
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  const base = `search_${words === '' ? 'knowledge' : words}`.slice(0, MAX_NAME_LENGTH);
  let name = base;
  for (let next = 2; taken.has(name); next++) name = `${base}_${next}`;
  return name;
}
