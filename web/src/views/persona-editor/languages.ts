import fields from '../../api/persona-fields.json';

const names = new Intl.DisplayNames(undefined, { type: 'language' });

/** Languages that the service takes, named in the language of the browser. */
export const LANGUAGES: readonly { readonly code: string; readonly name: string }[] = fields.languages
  .map((code) => ({ code, name: names.of(code) ?? code }))
  .toSorted((a, b) => a.name.localeCompare(b.name));
