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

interface AskedQuestion extends Question {
  readonly answer: (isYes: boolean) => void;
}

/** Null: nothing is asked. */
export const asked = signal<AskedQuestion | null>(null);

/** Asks in a window of the console. Another question takes the place of one that is open, which counts as a no. */
export function confirmed(question: Question): Promise<boolean> {
  asked.value?.answer(false);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const mine: AskedQuestion = {
    ...question,
    answer(isYes) {
      if (asked.value === mine) asked.value = null;
      resolve(isYes);
    },
  };
  asked.value = mine;
  return promise;
}
