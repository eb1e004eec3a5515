const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' });

/** English name of an ISO 639-1 language, for instructions to a model. */
export function languageName(code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}
