import type { Voice } from '../../api/types.ts';

/** As the services write themselves. */
const SERVICES: Readonly<Record<string, string>> = {
  LOCAL: 'This machine',
  ELEVENLABS: 'ElevenLabs',
  CARTESIA: 'Cartesia',
  DEEPGRAM: 'Deepgram',
  OPENAI: 'OpenAI',
};
export const serviceName = (provider: string): string => SERVICES[provider] ?? provider;

/** More would fill the row: a voice can speak thirty. */
const MAX_NAMED = 3;

const names = new Intl.DisplayNames(undefined, { type: 'language' });
export const languageName = (code: string): string => names.of(code) ?? code;

/** "German", "German, English and 5 more", "Any language". */
export function languagesText(languages: Voice['languages']): string {
  if (languages === null) return 'Any language';
  const named = languages.slice(0, MAX_NAMED).map(languageName).join(', ');
  return languages.length <= MAX_NAMED ? named : `${named} and ${languages.length - MAX_NAMED} more`;
}

export const GENDERS = [
  ['female', 'Female'],
  ['male', 'Male'],
  ['neutral', 'Neutral'],
] as const;

export function genderText(gender: string | null): string | null {
  return GENDERS.find(([value]) => value === gender)?.[1] ?? null;
}

/** "1 voice", "42 voices". */
export const countText = (total: number): string => (total === 1 ? '1 voice' : `${total} voices`);

/** "4.2 MB". */
export const sizeText = (bytes: number): string => `${(bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0)} MB`;

/** "0:07", "2:30". */
export const timeText = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
