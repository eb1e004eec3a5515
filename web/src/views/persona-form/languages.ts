/** Languages that the service takes, named in the language of the browser. */
const CODES =
  'en ar bg ca cs da de el es et fa fi fr he hi hr hu id it ja ko lt lv nl no pl pt ro ru sk sl sr sv ta th tr uk ur vi zh'.split(
    ' ',
  );

const names = new Intl.DisplayNames(undefined, { type: 'language' });

export const LANGUAGES: readonly { readonly code: string; readonly name: string }[] = CODES.map((code) => ({
  code,
  name: names.of(code) ?? code,
})).toSorted((a, b) => a.name.localeCompare(b.name));
