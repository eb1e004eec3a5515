import type { Conversation } from '../conversation.ts';
import type { Texts } from '../texts/texts.ts';

/** What every view needs. */
export interface ViewProps {
  readonly conversation: Conversation;
  readonly texts: Texts;
}
