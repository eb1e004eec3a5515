/** The first lines of a page that nobody should change by hand. */
export const GENERATED = '<!-- Made by scripts/generate-docs.ts from the code. Change the code, not this page. -->';
