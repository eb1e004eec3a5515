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

/**
 * Loads something again and again, each time a pause after its answer. By the clock, a service that answers more slowly
 * was asked anew before each of its answers, and none was ever shown. @param loaded its values are objects.
 */
export function useLoadedAgain(
  loaded: Loaded<unknown> & { readonly again: () => void },
  pauseMs: number,
  isWanted = true,
): void {
  const answer = loaded.state === 'ready' ? loaded.value : loaded.state === 'failed' ? loaded.error : null;
  useEffect(() => {
    if (!isWanted || loaded.state === 'loading') return;
    const timer = setTimeout(loaded.again, pauseMs);
    return () => clearTimeout(timer);
  }, [answer, isWanted]);
}
