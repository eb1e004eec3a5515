import { useState } from 'preact/hooks';
import { sentenceOf } from '../api/client.ts';

export type Work = { readonly state: 'idle' | 'running' } | { readonly state: 'failed'; readonly message: string };

/** Something that a button starts. One at a time: `run` does nothing while it runs. */
export function useWork(): { readonly work: Work; readonly run: (task: () => Promise<void>) => Promise<void> } {
  const [work, setWork] = useState<Work>({ state: 'idle' });
  async function run(task: () => Promise<void>): Promise<void> {
    if (work.state === 'running') return;
    setWork({ state: 'running' });
    try {
      await task();
      setWork({ state: 'idle' });
    } catch (error) {
      setWork({ state: 'failed', message: sentenceOf(error) });
    }
  }
  return { work, run };
}
