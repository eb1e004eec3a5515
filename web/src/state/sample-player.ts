import { signal } from '@preact/signals';
import { sentenceOf } from '../api/problem.ts';

/** What sounds: one recording at a time in the whole console. */
export type Playing =
  | { readonly key: string; readonly state: 'loading' }
  /** `progress` 0…1. */
  | { readonly key: string; readonly state: 'playing'; readonly progress: number }
  | { readonly key: string; readonly state: 'failed'; readonly message: string };

export const playing = signal<Playing | null>(null);

/** Counts what was begun: events of what was begun before are not of interest any more. */
let current = 0;
let element: HTMLAudioElement | null = null;
/** Releases the address that is used now. */
let release: (() => void) | null = null;

export interface Recording {
  /** Gives the address. */
  readonly open: () => Promise<string>;
  /** Gives another address if the first one does not play. */
  readonly reopen?: () => Promise<string>;
  /** Called with an address once it is not used any more. */
  readonly release?: (url: string) => void;
}

/**
 * Plays a recording, in place of the one that sounds now. `playing` says how it goes.
 * @param key of whoever shows it.
 */
export async function play(key: string, recording: Recording): Promise<void> {
  stop();
  const mine = ++current;
  const isMine = (): boolean => mine === current;
  playing.value = { key, state: 'loading' };
  const use = async (url: string): Promise<void> => {
    const done = (): void => recording.release?.(url);
    if (!isMine()) return done();
    release?.();
    release = done;
    await start(url, isMine);
  };
  try {
    await use(await recording.open()).catch(async (error: unknown) => {
      if (recording.reopen === undefined || !isMine()) throw error;
      await use(await recording.reopen());
    });
  } catch (error) {
    if (isMine()) playing.value = { key, state: 'failed', message: sentenceOf(error) };
    return;
  }
  if (isMine()) watch(key, isMine);
}

/** Stops what sounds. @param key only if it is this one. @defaultValue whatever it is */
export function stop(key?: string): void {
  if (key !== undefined && playing.value?.key !== key) return;
  current += 1;
  playing.value = null;
  element?.pause();
  release?.();
  release = null;
}

function watch(key: string, isMine: () => boolean): void {
  const audio = audioElement();
  // It ended before anybody looked.
  if (audio.ended) return stop();
  playing.value = { key, state: 'playing', progress: 0 };
  audio.ontimeupdate = () => {
    if (isMine()) playing.value = { key, state: 'playing', progress: audio.currentTime / (audio.duration || 1) };
  };
  audio.onended = () => {
    if (isMine()) stop();
  };
}

/** Resolves when it begins to sound. @throws Error with the service's sentence when it cannot be played. */
async function start(url: string, isMine: () => boolean): Promise<void> {
  const audio = audioElement();
  audio.ontimeupdate = null;
  audio.onended = null;
  audio.src = url;
  try {
    await audio.play();
  } catch (error) {
    if (isMine()) throw new Error(await reasonOf(url, error), { cause: error });
  }
}

/** A media element tells nothing of an answer that is no sound, so the answer is asked for again. */
async function reasonOf(url: string, error: unknown): Promise<string> {
  const answer = await fetch(url).catch(() => null);
  if (answer === null) return 'The service cannot be reached.';
  if (answer.ok) return `This browser cannot play it: ${sentenceOf(error)}`;
  const { message } = (await answer.json().catch(() => ({}))) as { message?: string };
  return message ?? `The service answered ${answer.status}.`;
}

/** In the page, so that it can be examined there. It shows nothing. */
function audioElement(): HTMLAudioElement {
  if (element === null) {
    element = document.createElement('audio');
    element.preload = 'none';
    document.body.append(element);
  }
  return element;
}
