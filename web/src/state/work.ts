import { useState } from 'preact/hooks';
import { isAt, type Problem, problemsWith, sentenceOf } from '../api/problem.ts';

export type Work =
  | { readonly state: 'idle' | 'running' }
  | {
      readonly state: 'failed';
      readonly error: unknown;
      readonly message: string;
      /** With fields of what was sent. Empty: it failed for another reason. */
      readonly problems: readonly Problem[];
    };

export interface UsedWork {
  readonly work: Work;
  /** One task at a time: it does nothing while one runs. */
  readonly run: (task: () => Promise<void>) => Promise<void>;
  /** A field is being changed: what was wrong with it does not count any more. */
  readonly forget: (path: string) => void;
}

/** Something that a button starts. @param wordingOf says why it failed. */
export function useWork(wordingOf: (error: unknown) => string = sentenceOf): UsedWork {
  const [work, setWork] = useState<Work>({ state: 'idle' });
  async function run(task: () => Promise<void>): Promise<void> {
    if (work.state === 'running') return;
    setWork({ state: 'running' });
    try {
      await task();
      setWork({ state: 'idle' });
    } catch (error) {
      setWork({ state: 'failed', error, message: wordingOf(error), problems: problemsWith(error) });
    }
  }
  return { work, run, forget: (path) => setWork((before) => without(before, path)) };
}

function without(work: Work, path: string): Work {
  if (work.state !== 'failed') return work;
  const problems = work.problems.filter((problem) => !isAt(problem, path));
  if (problems.length === work.problems.length) return work;
  return problems.length === 0 ? { state: 'idle' } : { ...work, problems };
}
