import { signal } from '@preact/signals';

/** What somebody is asked before something happens that cannot be undone. */
export interface Question {
  /** Of the window: `Revoke Web site?` */
  readonly title: string;
  /** What follows from a yes. */
  readonly text: string;
  /** Of the button that does it. */
  readonly yes: string;
}

interface OpenQuestion extends Question {
  readonly answer: (isYes: boolean) => void;
}

/** Null: nothing is asked. */
export const openQuestion = signal<OpenQuestion | null>(null);

/** Asks in a window of the console. Another question takes the place of one that is open, which counts as a no. */
export function confirm(question: Question): Promise<boolean> {
  openQuestion.value?.answer(false);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const mine: OpenQuestion = {
    ...question,
    answer(isYes) {
      if (openQuestion.value === mine) openQuestion.value = null;
      resolve(isYes);
    },
  };
  openQuestion.value = mine;
  return promise;
}
