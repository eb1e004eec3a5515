import { useEffect, useRef, useState } from 'preact/hooks';
import { sentenceOf } from '../../api/problem.ts';
import type { Voice } from '../../api/types.ts';
import { listVoicePage, type VoiceFilter } from './voice-api.ts';

export interface VoiceResults {
  readonly voices: readonly Voice[];
  readonly total: number;
  /** `searching`: what is shown belongs to an older filter. */
  readonly state: 'first' | 'searching' | 'ready' | 'failed';
  readonly message: string;
  readonly more: () => void;
  readonly again: () => void;
}

/** A filter is not sent at every letter. */
const TYPING_MS = 250;

/** The voices that fit, page by page. What was found stays while the next answer is on its way. */
export function useVoices(filter: VoiceFilter): VoiceResults {
  const [found, setFound] = useState<Pick<VoiceResults, 'voices' | 'total' | 'state' | 'message'>>({
    voices: [],
    total: 0,
    state: 'first',
    message: '',
  });
  const [pages, setPages] = useState(1);
  const [round, setRound] = useState(0);
  const shown = useRef('');
  const key = JSON.stringify(filter);

  useEffect(() => {
    let wanted = true;
    const isNew = shown.current !== key;
    const count = isNew ? 1 : pages;
    if (isNew) setPages(1);
    setFound((before) => ({ ...before, state: before.state === 'first' ? 'first' : 'searching' }));
    const timer = setTimeout(
      () => {
        Promise.all(Array.from({ length: count }, (_, page) => listVoicePage(filter, page + 1))).then(
          (answers) => {
            if (!wanted) return;
            shown.current = key;
            setFound({
              voices: answers.flatMap(({ data }) => data),
              total: answers[0]?.meta.total ?? 0,
              state: 'ready',
              message: '',
            });
          },
          (error: unknown) =>
            wanted && setFound((before) => ({ ...before, state: 'failed', message: sentenceOf(error) })),
        );
      },
      isNew && shown.current !== '' ? TYPING_MS : 0,
    );
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [key, pages, round]);

  return {
    ...found,
    more: () => setPages((now) => now + 1),
    again: () => setRound((now) => now + 1),
  };
}
