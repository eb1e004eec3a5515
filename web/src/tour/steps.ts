import type { Phase } from '../state/talk.ts';

/** What the tour knows of the page. */
export interface TourFacts {
  /** The page that is open; `record` is that of the conversation of the tour. */
  readonly page: 'talk' | 'record' | 'another';
  readonly phase: Phase;
  readonly microphone: 'off' | 'asked' | 'refused' | 'on' | 'lost';
  /** Something that the user said or typed has been answered. */
  readonly answered: boolean;
  /** The conversation that was held during the tour. */
  readonly sessionId: string | null;
}

export const STEP_NAMES = ['pick', 'microphone', 'talk', 'end', 'find', 'record'] as const;
export type TourStep = (typeof STEP_NAMES)[number];

/**
 * The step that fits what has happened. It is read from the page and not counted, so that somebody who does more than
 * the tour has asked for is never sent back.
 */
export function stepOf({ page, phase, microphone, answered, sessionId }: TourFacts): TourStep {
  if (phase === 'starting' || phase === 'live') {
    if (answered) return 'end';
    return microphone === 'asked' ? 'microphone' : 'talk';
  }
  if (sessionId === null) return 'pick';
  return page === 'record' ? 'record' : 'find';
}

export interface StepContent {
  readonly title: string;
  readonly text: string;
  /** Selectors of what the step points at: the first one that is visible. */
  readonly targets: readonly string[];
  /** The address of the page where this is, if another one is open. */
  readonly elsewhere: string | null;
}

const NAVIGATION_TO_SESSIONS = ['.sidebar a[href="#/sessions"]', '.menu-button'];

/** @param name of the persona in the conversation */
export function contentOf(step: TourStep, facts: TourFacts, name: string): StepContent {
  const onTalkPage = { elsewhere: facts.page === 'talk' ? null : '#/' };
  switch (step) {
    case 'pick':
      return {
        title: 'Pick somebody to talk to',
        text: 'Press Talk at one of the personas. The button with the keyboard is for typing instead of speaking.',
        targets: ['[data-tour="talk"]'],
        ...onTalkPage,
      };
    case 'microphone':
      return {
        title: 'Allow the microphone',
        text: 'The browser asks for it now. You are heard only during the conversation. If you refuse, you can type.',
        targets: ['[data-tour="face"]'],
        ...onTalkPage,
      };
    case 'talk':
      return {
        title: facts.microphone === 'on' ? 'Say something' : 'Write something',
        text:
          facts.microphone === 'on'
            ? `Ask ${name} a question. Take your time in the middle of a sentence, and speak when you want to interrupt.`
            : `Type a question for ${name} and press Enter. You can also do this while ${name} speaks.`,
        targets: ['[data-tour="controls"]'],
        ...onTalkPage,
      };
    case 'end':
      return {
        title: 'You are in a conversation',
        text: 'Go on for as long as you like. This button ends it.',
        targets: ['[data-tour="hang-up"]'],
        ...onTalkPage,
      };
    case 'find':
      return {
        title: 'Find it again',
        text: 'Conversations are listed under Sessions. Open the one that you have just had.',
        targets: [`.content a[href="#/sessions/${facts.sessionId}"]`, ...NAVIGATION_TO_SESSIONS],
        elsewhere: null,
      };
    case 'record':
      return {
        title: 'This is its record',
        text: 'It has what was said, and how long each part of each answer took. You can take this tour again: press Help.',
        targets: ['[data-tour="transcript"]'],
        elsewhere: null,
      };
  }
}
