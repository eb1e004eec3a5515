import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../../components/icon.tsx';
import { hangUp, holder, inputLevel, interrupt, link, microphone, muted, say, toggleMute } from '../../state/talk.ts';

/** The service accepts 32 KiB of text in one message; people write less. */
const MAX_TEXT = 4000;

export function Controls() {
  const [text, setText] = useState('');
  const ready = link.value === 'ready';
  const speaking = holder.value === 'persona' || holder.value === 'both';

  function onSubmit(event: Event): void {
    event.preventDefault();
    say(text);
    setText('');
  }

  return (
    <div class="controls" data-tour="controls">
      {microphone.value === 'on' && <MicrophoneButton />}
      <form onSubmit={onSubmit}>
        <input
          class="input"
          aria-label="Message"
          placeholder={ready ? 'Type a message' : 'Connecting…'}
          value={text}
          maxLength={MAX_TEXT}
          disabled={!ready}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        {text.trim() !== '' && (
          <button class="button primary round" type="submit" aria-label="Send">
            <Icon name="send" />
          </button>
        )}
      </form>
      {speaking && text.trim() === '' && (
        <button
          class="button round"
          type="button"
          title="Stop speaking"
          aria-label="Stop the persona"
          onClick={interrupt}
        >
          <Icon name="stop" />
        </button>
      )}
      <button
        class="button danger round"
        type="button"
        title="End the conversation"
        aria-label="End the conversation"
        data-tour="hang-up"
        onClick={hangUp}
      >
        <Icon name="hangup" />
      </button>
    </div>
  );
}

/** The ring around it shows how loud the microphone is. */
function MicrophoneButton() {
  const ring = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    let frame = 0;
    const draw = (): void => {
      ring.current?.style.setProperty('--level', inputLevel().toFixed(3));
      frame = requestAnimationFrame(draw);
    };
    draw();
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <span class="meter" ref={ring}>
      <button
        class={muted.value ? 'button round on' : 'button round'}
        type="button"
        aria-pressed={muted.value}
        aria-label="Mute the microphone"
        title={muted.value ? 'Unmute' : 'Mute'}
        onClick={toggleMute}
      >
        <Icon name={muted.value ? 'mic-off' : 'mic'} />
      </button>
    </span>
  );
}
