import { useEffect, useRef, useState } from 'preact/hooks';
import { Picture } from '../../components/picture.tsx';
import { caption, leave, link, notice, persona, phase, sessionId, start, stream } from '../../state/talk.ts';

const LINK_NAMES = { connecting: 'Connecting…', ready: 'Connected', reconnecting: 'Reconnecting…', closed: 'Ended' } as const;

/** The persona, large: its picture until the video runs, captions over it, the way out when it is over. */
export function Face() {
  const video = useRef<HTMLVideoElement>(null);
  const [playing, setPlaying] = useState(false);
  useEffect(() => {
    if (video.current === null) return;
    video.current.srcObject = stream.value;
    setPlaying(false);
    // Refused only without a click before; the picture stays then.
    if (stream.value !== null) void video.current.play().catch(() => {});
  }, [stream.value]);
  const who = persona.value;
  if (who === null) return null;
  const state = phase.value === 'over' ? 'closed' : link.value;
  return (
    <section class="face" aria-label={who.name}>
      {!playing && <Picture avatar={who.avatar} name={who.name} waiting />}
      <video ref={video} autoplay playsInline hidden={!playing} onPlaying={() => setPlaying(true)} />
      <div class="name">
        <span class="chip">{who.name}</span>
        <span class={`chip ${state}`} role="status"><span class="dot" />{LINK_NAMES[state]}</span>
      </div>
      {phase.value === 'over' ? <Over /> : <Caption />}
    </section>
  );
}

function Caption() {
  const now = caption.value;
  if (now === null) return null;
  return <div class="caption"><p class={now.role} aria-live="polite"><span>{now.text}</span></p></div>;
}

function Over() {
  const who = persona.value;
  return (
    <div class="veil">
      <h2>{notice.value ?? 'The conversation has ended.'}</h2>
      <div class="row">
        {who !== null && <button class="button primary" type="button" onClick={() => void start(who, true)}>Talk again</button>}
        {sessionId.value !== null && <a class="button" href={`#/sessions/${sessionId.value}`}>See the record</a>}
        <button class="button" type="button" onClick={leave}>Choose somebody else</button>
      </div>
    </div>
  );
}
