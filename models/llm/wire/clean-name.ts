/** Blanks, and a namespace that a model puts before a name. */
export function cleanName(name: string, names: ReadonlySet<string>): string {
  const plain = name.trim();
  if (names.has(plain)) return plain;
  const bare = plain
    // Marks of channels that the server has left at the name.
    .replace(/<[|｜].*$/su, '')
    .replace(/^(functions?|tools?|default_api)[.:/]/, '')
    .replace(/(:\d+|\(\))$/, '')
    .trim();
  // Programs that collect tools of several servers put the server before the name.
  const own = bare.split(/__|[./:]/).at(-1)!;
  return alike(bare, names) ?? (names.has(own) ? own : bare !== '' ? bare : plain);
}

/** `Get-Weather` is `get_weather`, if no other tool is called so. */
function alike(name: string, names: ReadonlySet<string>): string | null {
  if (names.has(name)) return name;
  const letters = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  const found = [...names].filter((known) => letters(known) === letters(name));
  return found.length === 1 ? found[0]! : null;
}
