import { readFileSync } from 'node:fs';
import { wavSamples } from '../sounds.ts';

/** A person's words, and the sound of them: 16 kHz mono. */
export interface Recording {
  readonly name: string;
  readonly words: string;
  readonly pcm: Int16Array;
}

const WORDS: Readonly<Record<string, string>> = {
  jfk: 'and so my fellow americans ask not what your country can do for you ask what you can do for your country',
  'librivox-0870':
    'and mister john dashwood had then leisure to consider how much there might be prudently in his power to do for them',
  'librivox-0880': 'he was not an ill disposed young man',
  'librivox-0930': 'he might even have been made amiable himself',
  'cards-001': 'ten of clubs',
  'cards-003': 'seven of clubs',
};

/** @returns the recordings of this folder; its README says where they come from. */
export function recordings(): Recording[] {
  return Object.entries(WORDS).map(([name, words]) => ({
    name,
    words,
    pcm: wavSamples(readFileSync(new URL(`${name}.wav`, import.meta.url))),
  }));
}
