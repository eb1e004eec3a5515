import { useEffect, useRef, useState } from 'preact/hooks';
import { withName } from '../texts/texts.ts';
import { Icon } from './icon.tsx';
import type { ViewProps } from './view-props.ts';

interface ControlsProps extends ViewProps {
  readonly captions: boolean;
  readonly toggleCaptions: () => void;
  readonly transcript: boolean;
  readonly toggleTranscript: () => void;
}

/** What the visitor can do during a conversation. */
export function Controls(props: ControlsProps) {
  const { conversation, texts } = props;
  const config = conversation.look.value?.widgetConfig;
  const live = conversation.phase.value.name === 'live';
  return (
    <div class="controls">
      {/* Without a microphone, typing is the only way to say something. */}
      {live && (config?.showTextInput !== false || !conversation.hasMicrophone.value) && (
        <Composer conversation={conversation} texts={texts} />
      )}
      <Buttons {...props} />
    </div>
  );
}

function Buttons({ captions, toggleCaptions, transcript, toggleTranscript, ...view }: ControlsProps) {
  const { conversation, texts } = view;
  const config = conversation.look.value?.widgetConfig;
  const name = conversation.look.value?.persona.name ?? '';
  // Its button has its place from the beginning: one that came later pushed the others away below the pointer.
  const mayHaveMicrophone = conversation.hasMicrophone.value || conversation.waitsForMicrophone.value;
  return (
    <div class="buttons">
      {mayHaveMicrophone && config?.showMuteButton !== false && <MuteButton {...view} />}
      <button
        class="round"
        type="button"
        aria-pressed={captions}
        aria-label={texts.captions}
        title={texts.captions}
        onClick={toggleCaptions}
      >
        <Icon name="captions" />
      </button>
      {config?.showTranscript !== false && (
        <button
          class="round"
          type="button"
          aria-pressed={transcript}
          aria-label={texts.transcript}
          title={texts.transcript}
          onClick={toggleTranscript}
        >
          <Icon name="transcript" />
        </button>
      )}
      <button
        class="round"
        type="button"
        disabled={conversation.holder.value !== 'persona'}
        aria-label={withName(texts.stopSpeaking, name)}
        title={withName(texts.stopSpeaking, name)}
        onClick={() => conversation.interrupt()}
      >
        <Icon name="stop" />
      </button>
      <button
        class="round hang-up"
        type="button"
        aria-label={texts.endConversation}
        title={texts.endConversation}
        onClick={() => conversation.hangUp()}
      >
        <Icon name="hang-up" />
      </button>
    </div>
  );
}

function MuteButton({ conversation, texts }: ViewProps) {
  const muted = conversation.muted.value;
  const label = muted ? texts.unmute : texts.mute;
  return (
    <button
      class="round"
      type="button"
      disabled={!conversation.hasMicrophone.value}
      aria-pressed={muted}
      aria-label={label}
      title={label}
      onClick={() => conversation.toggleMute()}
    >
      <Icon name={muted ? 'mic-off' : 'mic'} />
    </button>
  );
}

/** The service takes at most 32 KiB in one text; nobody types a tenth of it. */
const MAX_TEXT_LENGTH = 4_000;

function Composer({ conversation, texts }: ViewProps) {
  const [text, setText] = useState('');
  const input = useRef<HTMLInputElement>(null);
  // Whoever has called by typing, and did not look elsewhere meanwhile, types.
  useEffect(() => {
    const root = input.current!.getRootNode() as ShadowRoot;
    if (!conversation.hasMicrophone.value && root.activeElement !== null) input.current!.focus();
  }, []);
  const name = conversation.look.value?.persona.name ?? '';
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        conversation.say(text);
        setText('');
      }}
    >
      <input
        ref={input}
        type="text"
        autocomplete="off"
        enterkeyhint="send"
        maxLength={MAX_TEXT_LENGTH}
        value={text}
        aria-label={texts.message}
        placeholder={withName(texts.messagePlaceholder, name)}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button class="round send" type="submit" aria-label={texts.send} disabled={text.trim() === ''}>
        <Icon name="send" />
      </button>
    </form>
  );
}
