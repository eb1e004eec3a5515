/** What a persona can be told to act: by a cue of the client, or by `[tag]` inside the text of a model. */
export const DIRECTOR_TAGS = [
  'happy',
  'warm',
  'playful',
  'laughter',
  'curious',
  'supportive',
  'concerned',
  'sad',
  'surprised',
  'angry',
  'distressed',
] as const;
export type DirectorTag = (typeof DIRECTOR_TAGS)[number];

const tags: ReadonlySet<string> = new Set(DIRECTOR_TAGS);

export function isDirectorTag(tag: string): tag is DirectorTag {
  return tags.has(tag);
}
