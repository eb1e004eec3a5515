/** The code blocks of a Markdown text in one language, in order. */
export function codeBlocks(markdown: string, language: string): string[] {
  return [...markdown.matchAll(/^```(\w+)\n([^]*?)^```$/gm)]
    .filter(([, info]) => info === language)
    .map(([, , code]) => code ?? '');
}
