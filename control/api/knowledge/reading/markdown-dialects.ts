/** What programs have added to Markdown, as somebody reads it on their pages: Obsidian, MkDocs, Docusaurus, Pandoc, Notion. */

/** Comments of Obsidian, within a paragraph. */
export const HIDDEN = /(?<![\w%])%%\s(?:(?!\n\n)[^%]){0,4096}\s%%(?![\w%])/g;

/** "callout-note", of Quarto */
function capital(kind: string): string {
  const word = kind.replace(/^callout-/, '');
  return word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();
}

/** A sign at the beginning of a line, and what stands for it. */
const BEGINNINGS: readonly (readonly [pattern: RegExp, said: (match: RegExpExecArray) => string])[] = [
  // "> [!note] Hours"
  [
    /^(\s*>\s*)\[!([\w-]{1,30})\][+-]?[ \t]*(.*)$/,
    ([, quote, kind, title]) => quote! + (title || `${capital(kind!)}:`),
  ],
  // '!!! note "Hours"'
  [
    /^\s*(?:!!!|\?\?\?\+?)\s+([\w-]{1,30})(?:[^"\n]{0,60}"(.{0,200})")?\s*$/,
    ([, kind, title]) => title ?? `${capital(kind!)}:`,
  ],
  // '=== "Summer"'
  [/^\s*===[!+]?\s+"(.{1,200})"\s*$/, ([, title]) => `${title}:`],
  // ":::tip Hours"
  [
    /^\s*:{3,}\s*\{?\.?([a-z][\w-]{0,30})?[^[\n]*?(?:\[([^\]\n]{0,200})\]|\s([^{}[\]\n]{1,200}))?\s*\}?\s*$/,
    ([, kind, ...titles]) => titles.find(Boolean)?.trim() ?? (kind === undefined ? '' : `${capital(kind)}:`),
  ],
  // "(label)=", of MyST
  [/^\([\w-]{1,60}\)=\s*$/, () => ''],
];

export function withoutDialect(line: string): string {
  const [pattern, said] = BEGINNINGS.find(([one]) => one.test(line)) ?? [];
  const plain = pattern === undefined ? line : said!(pattern.exec(line)!);
  if (!/[[{=]/.test(plain)) return plain;
  return (
    plain
      .replaceAll(/!\[\[[^\][\n]{1,300}\]\]/g, '')
      .replaceAll(/\[\[[^\][|\n]{1,300}\|([^\][\n]{1,300})\]\]/g, '$1')
      .replaceAll(/\[\[([^\][|\n]{1,300})\]\]/g, (_, page: string) => page.replace('#', ' › '))
      // A page beside this one: its words say what it is about.
      .replaceAll(/(?<!!)\[([^\][\n]{1,300})\]\((?![a-z][a-z\d+.-]*:|#?\))[^()\s]{1,300}\)/gi, '$1')
      .replaceAll(/(?<![=\w])==(?=\S)([^=\n]{1,300})(?<=\S)==(?![=\w])/g, '$1')
      .replaceAll(/(?<=[\])\w.!?`"”] ?)\{:?\s?[#.][^{}\n]{1,100}\}/g, '')
  );
}
