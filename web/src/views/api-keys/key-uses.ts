/** What keys are made for. `own`: as its boxes are checked. */
export type KeyUse = 'conversations' | 'building' | 'everything' | 'own';

export const KEY_USES: Readonly<Record<KeyUse, string>> = {
  conversations: 'A server that starts conversations',
  building: 'Programs that build personas, tools and knowledge',
  everything: 'Everything that this browser may do',
  own: 'What is chosen below',
};

/** What a server needs that gives tokens to its clients, or starts sessions for them. */
const CONVERSATIONS: readonly string[] = ['session-tokens', 'sessions'];

/** @param given what the key of this browser can give on. @param usual those that a new key has by default. */
export function scopesFor(
  use: Exclude<KeyUse, 'own'>,
  given: readonly string[],
  usual: readonly string[],
): readonly string[] {
  switch (use) {
    case 'conversations':
      return given.filter((scope) => CONVERSATIONS.includes(scope));
    case 'building':
      return usual;
    case 'everything':
      return given;
  }
}
