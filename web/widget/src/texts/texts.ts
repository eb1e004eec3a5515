import type { Problem } from '../problems.ts';

/** What the widget itself says. `{name}` is the name of the persona. */
export interface Texts {
  readonly talk: string;
  readonly typeInstead: string;
  readonly loading: string;
  readonly allowMicrophone: string;
  readonly connecting: string;
  readonly reconnecting: string;
  readonly listens: string;
  readonly thinks: string;
  readonly speaks: string;
  readonly youSpeak: string;
  readonly turnOnSound: string;
  readonly mute: string;
  readonly unmute: string;
  readonly captions: string;
  readonly transcript: string;
  readonly you: string;
  readonly endConversation: string;
  readonly minimize: string;
  readonly open: string;
  readonly message: string;
  readonly messagePlaceholder: string;
  readonly send: string;
  readonly stopSpeaking: string;
  readonly ended: string;
  readonly talkAgain: string;
  readonly tryAgain: string;
  readonly dismiss: string;
  readonly anAi: string;
  readonly madeWith: string;
  readonly preview: string;
  readonly endedBySilence: string;
  readonly endedByLength: string;
  readonly problems: Readonly<Record<Problem, string>>;
}

export function withName(text: string, name: string): string {
  return text.replaceAll('{name}', name);
}
