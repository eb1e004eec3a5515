import { useEffect, useRef, useState } from 'preact/hooks';
import { AvatarImage } from '../../components/avatar-image.tsx';
import { caption, leave, link, notice, persona, phase, sessionId, start, stream } from '../../state/talk.ts';

const LINK_NAMES = {
  connecting: 'Connecting…',
  ready: 'Connected',
  reconnecting: 'Reconnecting…',
  closed: 'Ended',
} as const;

/** The persona, large: its image until the video runs, captions over it, the way out when it is over. */
export function Face() {
  const video = useRef<HTMLVideoElement>(null);
  const [playback, setPlayback] = useState<'waiting' | 'playing' | 'blocked'>('waiting');
  useEffect(() => {
    if (video.current === null) return;
    video.current.srcObject = stream.value;
    setPlayback('waiting');
    if (stream.value !== null) play();
  }, [stream.value]);

  function play(): void {
    // Some browsers require a separate click for sound.
    video.current?.play().catch((error: unknown) => {
      if (error instanceof DOMException && error.name === 'NotAllowedError') setPlayback('blocked');
    });
  }

  const who = persona.value;
  if (who === null) return null;
  const state = phase.value === 'over' ? 'closed' : link.value;
  return (
    <section class="face" aria-label={who.name} data-tour="face">
      {playback !== 'playing' && <AvatarImage avatar={who.avatar} name={who.name} waiting />}
      <video
        ref={video}
        autoplay
        playsInline
        hidden={playback !== 'playing'}
        onPlaying={() => setPlayback('playing')}
      />
      <div class="name">
        <span class="chip">{who.name}</span>
        <span class={`chip ${state}`} role="status">
          <span class="dot" />
          {LINK_NAMES[state]}
        </span>
      </div>
      {playback === 'blocked' && phase.value === 'live' && (
        <div class="overlay">
          <button class="button primary" type="button" onClick={play}>
            Turn on audio and video
          </button>
        </div>
      )}
      {phase.value === 'over' ? (
        <Over />
      ) : playback === 'waiting' && caption.value === null ? (
        <Waiting name={who.name} />
      ) : (
        <Caption />
      )}
    </section>
  );
}

/** A usual start is over before this says more than that it continues. */
const LONG_WAIT_MS = 2_000;

function Waiting({ name }: { name: string }) {
  const [long, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), LONG_WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class="overlay waiting" role="status">
      <span class="spinner" aria-hidden="true" />
      <p>{name} is on the way…</p>
      {long && (
        <p class="small">After a start, faces are drawn and speech recognition is loaded. That takes some seconds.</p>
      )}
    </div>
  );
}

function Caption() {
  const now = caption.value;
  if (now === null) return null;
  return (
    <div class="caption">
      <p class={now.role} aria-live="polite">
        <span>{now.text}</span>
      </p>
    </div>
  );
}

function Over() {
  const who = persona.value;
  return (
    <div class="overlay">
      <h2>{notice.value ?? 'The conversation has ended.'}</h2>
      <div class="row">
        {who !== null && who.lacks !== null && who.editId !== null && (
          <a class="button primary" href={`#/personas/${encodeURIComponent(who.editId)}`}>
            Change it
          </a>
        )}
        {who !== null && who.lacks === null && (
          <button class="button primary" type="button" data-tour="talk" onClick={() => void start(who, true)}>
            Talk again
          </button>
        )}
        {sessionId.value !== null && (
          <a class="button" href={`#/sessions/${sessionId.value}`}>
            See the record
          </a>
        )}
        <button class="button" type="button" onClick={leave}>
          Choose somebody else
        </button>
      </div>
    </div>
  );
}
