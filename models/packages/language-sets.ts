/** What a start fetches by itself: the smallest that understand and speak, 140 MB, all of them from a registry. */
export const STANDARD_SET: readonly string[] = ['whisper-tiny-en', 'piper-en-joe', 'smart-turn'];

/** What is fetched for a language, the preferred one of each kind first. */
export const LANGUAGE_SETS: Readonly<Record<string, readonly string[]>> = {
  en: ['zipformer-en', 'moonshine-en', 'kitten-en', 'piper-en-kristin', 'smart-turn', 'minilm-en'],
  de: ['kroko-de', 'piper-de-thorsten', 'smart-turn'],
  es: ['kroko-es', 'piper-es-davefx', 'smart-turn'],
  fr: ['kroko-fr', 'piper-fr-siwis', 'smart-turn'],
  it: ['whisper-base', 'piper-it-paola', 'smart-turn'],
  pt: ['whisper-base', 'piper-pt-faber', 'smart-turn'],
};
