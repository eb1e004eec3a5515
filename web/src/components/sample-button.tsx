import { useEffect } from 'preact/hooks';
import { getVoice } from '../api/routes.ts';
import type { Voice } from '../api/types.ts';
import { play, playing, type Recording, stop } from '../state/sample-player.ts';
import { Icon } from './icon.tsx';

/**
 * Plays the sample of a voice, and stops it. One sounds at a time. Nothing is shown for a voice without a sample.
 * @param props.wide with words beside the icon.
 */
export function SampleButton({ voice, wide = false }: { voice: Voice; wide?: boolean }) {
  const { id, displayName, sampleUrl } = voice;
  const key = `sample ${id}`;
  if (sampleUrl === null) return null;
  return (
    <PlayButton
      playKey={key}
      name={`the sample of ${displayName}`}
      words={wide ? 'Listen' : null}
      recording={{
        open: async () => sampleUrl,
        // An address works for an hour, and a page may be open for longer.
        reopen: async () => (await getVoice(id)).sampleUrl ?? sampleUrl,
      }}
    />
  );
}

/**
 * A button that plays something and stops it.
 * @param props.name what it plays, for those who do not see the icon. @param props.words shown beside the icon, or null.
 */
export function PlayButton(props: { playKey: string; name: string; words: string | null; recording: Recording }) {
  const { playKey, name, words, recording } = props;
  useEffect(() => () => stop(playKey), [playKey]);
  const now = playing.value?.key === playKey ? playing.value : null;
  const sounds = now?.state === 'playing';
  const active = sounds || now?.state === 'loading';
  return (
    <span class="play">
      <button
        type="button"
        class={words === null ? 'button play-button icon-only' : 'button play-button'}
        data-state={now?.state ?? 'idle'}
        style={{ '--progress': sounds ? now.progress : 0 }}
        aria-label={words === null ? `${active ? 'Stop' : 'Play'} ${name}` : undefined}
        aria-busy={now?.state === 'loading'}
        onClick={() => (active ? stop(playKey) : void play(playKey, recording))}
      >
        <Icon name={active ? 'stop' : 'play'} />
        {words !== null && (
          <span>
            {active ? 'Stop' : words}
            <span class="visually-hidden">, {name}</span>
          </span>
        )}
      </button>
      {now?.state === 'failed' && (
        <span class="play-failed" role="alert">
          {now.message}
        </span>
      )}
    </span>
  );
}
