import type { SpokenWords } from '../history/conversation-history.ts';
import { joint } from '../text/words.ts';
import type { Said } from '../kernel/inner-events.ts';
import type { MeetingState } from './meeting-state.ts';
import { whoSpoke, type Span } from './who-spoke.ts';

/** Words that the recognizer gave together, and when they were spoken. */
export interface SpokenPart {
  readonly text: string;
  readonly voice: readonly Span[];
}

/** Participants who gave no name, and voices that belong to nobody who is known. */
const UNNAMED = 'Guest';
const UNKNOWN = 'Someone';

/** @param parts in their order. @returns them by speaker: what one says without anybody in between is one. */
export function saidBy(parts: readonly SpokenPart[], meeting: MeetingState, now: number): readonly Said[] {
  const said: Said[] = [];
  for (const { text, voice } of parts) {
    const words = text.trim();
    if (words === '') continue;
    const before = said.at(-1);
    const speakers = speakersOf(voice, meeting, now);
    const startedAt = voice[0]?.from ?? before?.endedAt ?? now;
    const endedAt = voice.at(-1)?.to ?? startedAt;
    if (before !== undefined && isSame(before.speakers, speakers))
      said[said.length - 1] = { ...before, text: before.text + joint(before.text, words) + words, endedAt };
    else said.push({ speakers, name: nameOf(speakers, meeting), text: words, startedAt, endedAt });
  }
  return said;
}

/** "Alice: We ship on Friday." @param words `speaker` is null where there is only one. */
export function spokenLine({ speaker, text }: SpokenWords): string {
  return speaker === null ? text : `${speaker}: ${text}`;
}

interface Heard {
  readonly text: string;
  readonly said: readonly Said[];
}

/** What was heard, by speaker: in an ordinary session there is one, without a name. */
export function bySpeaker({ text, said }: Heard): readonly SpokenWords[] {
  return said.length === 0 ? [{ text, speaker: null }] : said.map((one) => ({ text: one.text, speaker: one.name }));
}

/** The same as one text, a line for each speaker. */
export function asRead(heard: Heard): string {
  return bySpeaker(heard).map(spokenLine).join('\n');
}

function speakersOf(voice: readonly Span[], meeting: MeetingState, now: number): readonly string[] {
  const heard = whoSpoke(meeting.loud, voice, now);
  const [only] = meeting.others;
  return heard.length === 0 && only !== undefined && meeting.others.length === 1 ? [only.id] : heard;
}

function nameOf(speakers: readonly string[], { names }: MeetingState): string {
  return speakers.length === 0 ? UNKNOWN : speakers.map((id) => names.get(id) || UNNAMED).join(', ');
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id) => other.includes(id));
}
