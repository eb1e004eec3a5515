/** Of a name, and of a description, in characters. */
const MAX_NAME_LENGTH = 100;
const MAX_DESCRIPTION_LENGTH = 300;
/** As the setting of voices allows. */
const ID = /^[\w.:+-]{1,128}$/u;

/** A service's own texts are shown to users of the console and sent as JSON: on one line, and not endless. */
export const voiceName = (text: string | null | undefined, id: string): string =>
  plain(text ?? '', MAX_NAME_LENGTH) || id;

export function voiceDescription(text: string | null | undefined): string | null {
  const short = plain(text ?? '', MAX_DESCRIPTION_LENGTH);
  return short === '' ? null : short;
}

export const isVoiceId = (text: string): boolean => ID.test(text);

/** 'en-US', 'en_US' and 'EN' → 'en'. @returns null for what is no code. */
export function languageOf(tag: string | null | undefined): string | null {
  return /^([a-z]{2,3})(?:[-_]|$)/u.exec((tag ?? '').toLowerCase())?.[1] ?? null;
}

/** 'en-US' → 'US'. */
export function countryOf(tag: string | null | undefined): string | null {
  return /[-_]([A-Za-z]{2})$/u.exec(tag ?? '')?.[1]?.toUpperCase() ?? null;
}

/** @returns null when nothing is known. */
export function languagesOf(tags: readonly (string | null | undefined)[]): string[] | null {
  const codes = [...new Set(tags.map(languageOf).filter((code) => code !== null))];
  return codes.length === 0 ? null : codes;
}

/** Words that describe a voice, as a sentence would begin: "American, calm, narration". */
export function listed(words: readonly (string | null | undefined)[]): string | null {
  const text = words.filter((word) => typeof word === 'string' && word !== '').join(', ');
  return text === '' ? null : text[0]!.toUpperCase() + text.slice(1);
}

function plain(text: string, longest: number): string {
  const line = text.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
  return line.length <= longest ? line : `${line.slice(0, longest - 1).trimEnd()}…`;
}
