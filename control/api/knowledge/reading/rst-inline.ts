import { addressBehind } from './link-address.ts';

/** What is said elsewhere in the text of the names that stand in it. */
export interface RstNames {
  /** Addresses of links, by their words. */
  readonly targets: ReadonlyMap<string, string>;
  readonly notes: ReadonlyMap<string, string>;
  readonly replacements: ReadonlyMap<string, string>;
}

export const nameOf = (words: string): string => words.toLowerCase().replaceAll(/\s+/g, ' ').trim();

/** `.. _the menu: https://…`, `.. [1] For guests.` and `.. |phone| replace:: +49 …`. */
const TARGET = /^\.\. _(?:`([^`\n]+)`|([^:\n`]+)):[ \t]*(\S.*)?$/;
const NOTE = /^\.\. \[([^\]\n]+)\][ \t]+(.+)$/;
const REPLACEMENT = /^\.\. \|([^|\n]+)\| replace:: (.+)$/;

/** Takes them out of the lines. */
export function namesIn(lines: readonly string[]): RstNames & { readonly lines: string[] } {
  const [targets, notes, replacements] = [
    new Map<string, string>(),
    new Map<string, string>(),
    new Map<string, string>(),
  ];
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at]!;
    const [, quoted, name, address] = TARGET.exec(line) ?? [];
    const [, label, note] = NOTE.exec(line) ?? [];
    const [, replaced, words] = REPLACEMENT.exec(line) ?? [];
    const target = quoted ?? name;
    if (target !== undefined && address !== undefined) targets.set(nameOf(target), address.trim());
    else if (replaced !== undefined) replacements.set(replaced, words!);
    else if (label !== undefined) {
      let whole = note!;
      while (/^[ \t]+\S/.test(lines[at + 1] ?? '')) whole += ` ${lines[(at += 1)]!.trim()}`;
      notes.set(label, whole);
    } else if (target === undefined) kept.push(line);
  }
  return { targets, notes, replacements, lines: kept };
}

/** Words without the signs around them. Links have their address behind their words, notes stand in brackets. */
export function plainRst(text: string, names: RstNames): string {
  const linked = (words: string, target: string | undefined): string => words + addressBehind(words, target);
  return text
    .replaceAll(/\|([^|\s][^|\n]{0,100})\|_{0,2}/g, (whole, name: string) => names.replacements.get(name) ?? whole)
    .replaceAll(
      /(:[\w:.+-]+:)?`([^`<]{1,500}?)\s*<([^<>`]{1,500})>`_{0,2}/g,
      (_, role, words: string, target: string) =>
        role === undefined ? linked(words, names.targets.get(nameOf(target.replace(/_$/, ''))) ?? target) : words,
    )
    .replaceAll(/``([^\n]{1,500}?)``(?!`)/g, '$1')
    .replaceAll(/:[\w:.+-]+:`([^`]{1,500})`/g, (_, words: string) => words.replace(/^[!~]/, ''))
    .replaceAll(/`([^`]{1,500})`_{1,2}/g, (_, words: string) => linked(words, names.targets.get(nameOf(words))))
    .replaceAll(/(?<![\w`])(\w(?:[\w.-]{0,100}\w)?)_{1,2}(?![\w`])/g, (whole, word: string) =>
      names.targets.has(nameOf(word)) ? linked(word, names.targets.get(nameOf(word))) : whole,
    )
    .replaceAll(/ ?\[([#*\w-]+)\]_/g, (_, label: string) => {
      const note = names.notes.get(label);
      return note === undefined ? '' : ` (${note})`;
    })
    .replaceAll(/`([^`\n]{1,500})`/g, '$1')
    .replaceAll(/(?<![\w*\\])(\*{1,2})(?=[^\s*])([^*]{0,500}?[^\s*\\])\1(?![\w*])/g, '$2')
    .replaceAll(/\\([^\w\s])/g, '$1')
    .replaceAll(/\\\s/g, '');
}
