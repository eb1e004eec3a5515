import type { SessionEnvironment } from '../kernel/environment.ts';
import type { MeetingConfig } from '../session-config.ts';

/** `one-to-one`: everything is said to the persona. `group`: only what names it. */
export type ConversationMode = 'one-to-one' | 'group';

/**
 * The invite says how the persona shall behave, and the number of people says what there is. `groupCall: false` was
 * chosen by somebody, so it holds for any number of people. With `groupCall: true`, whoever is alone with the persona
 * speaks to it. While nobody else is known to be there, the persona stays silent rather than to talk into a group.
 *
 * @param meeting null: an ordinary session. @param others how many are there, without the persona.
 */
export function conversationMode(meeting: MeetingConfig | null, others: number): ConversationMode {
  return meeting?.groupCall === true && others !== 1 ? 'group' : 'one-to-one';
}

/** @returns how it is in this session now: people come and go. */
export function modeOf({ config, memory }: SessionEnvironment): ConversationMode {
  return conversationMode(config.meeting, memory.meeting.others.length);
}
