/**
 * Office programs name the elements of their files by namespaces, and nearly all by the same prefixes; libraries of
 * programmers choose others: `<x:row>`, `<ns0:p>`, `<document xmlns="…">`. The readers know the usual ones.
 */

const USUAL: readonly (readonly [namespace: RegExp, prefix: string])[] = [
  [/\/wordprocessingml\/(2006\/)?main$/, 'w'],
  [/\/spreadsheetml\/(2006\/)?main$/, ''],
  [/\/presentationml\/(2006\/)?main$/, 'p'],
  [/\/drawingml\/(2006\/)?main$/, 'a'],
  [/\/drawingml\/(2006\/)?chart$/, 'c'],
  [/\/officeDocument\/(2006\/)?relationships$/, 'r'],
  [/\/officeDocument\/(2006\/)?math$/, 'm'],
  [/\/markup-compatibility\/2006$/, 'mc'],
  [/\/package\/2006\/relationships$/, ''],
  [/opendocument:xmlns:office:/, 'office'],
  [/opendocument:xmlns:text:/, 'text'],
  [/opendocument:xmlns:table:/, 'table'],
  [/opendocument:xmlns:drawing:/, 'draw'],
  [/opendocument:xmlns:style:/, 'style'],
  [/\/1999\/xlink$/, 'xlink'],
];
/** Namespaces are declared at the beginning. */
const LOOKED_AT = 8_192;

/** @returns the XML with the usual prefixes, the same text where it has them. */
export function withUsualPrefixes(xml: string): string {
  let text = xml;
  for (const [, prefix = '', namespace = ''] of xml
    .slice(0, LOOKED_AT)
    .matchAll(/\sxmlns(?::([\w.-]+))?=["']([^"']+)["']/g)) {
    const usual = USUAL.find(([pattern]) => pattern.test(namespace))?.[1];
    if (usual === undefined || usual === prefix) continue;
    const before = prefix === '' ? '(?=[A-Za-z_][\\w.-]*[\\s/>])' : `${prefix.replaceAll('.', '\\.')}:`;
    text = text.replaceAll(new RegExp(`<(/?)${before}`, 'g'), `<$1${usual === '' ? '' : `${usual}:`}`);
    // Attributes without a prefix are in no namespace.
    if (prefix !== '' && usual !== '')
      text = text.replaceAll(new RegExp(`(\\s)${before}(?=[\\w.-]+=)`, 'g'), `$1${usual}:`);
  }
  return text;
}
