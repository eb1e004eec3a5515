import { useEffect, useState } from 'preact/hooks';
import { sentenceOf } from '../api/problem.ts';

export type Loaded<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly value: T }
  | { readonly state: 'failed'; readonly message: string; readonly error: unknown };

/** Loads something when a view appears and whenever `key` changes. A late answer to an older key is dropped. */
export function useLoaded<T>(key: string, load: () => Promise<T>): Loaded<T> & { readonly again: () => void } {
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: 'loading' });
  const [round, setRound] = useState(0);
  useEffect(() => {
    let wanted = true;
    setLoaded((before) => (before.state === 'ready' && round > 0 ? before : { state: 'loading' }));
    load().then(
      (value) => wanted && setLoaded({ state: 'ready', value }),
      (error: unknown) => wanted && setLoaded({ state: 'failed', message: sentenceOf(error), error }),
    );
    return () => {
      wanted = false;
    };
  }, [key, round]);
  return { ...loaded, again: () => setRound((value) => value + 1) };
}
