import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Layout } from '../options.ts';
import { withName } from '../texts/texts.ts';
import { CaptionLine } from './caption-line.tsx';
import { Controls } from './controls.tsx';
import { Icon } from './icon.tsx';
import { Notice } from './notice.tsx';
import { PersonaVideo } from './persona-video.tsx';
import { Transcript } from './transcript.tsx';
import { Overlay } from './overlay.tsx';
import type { ViewProps } from './view-props.ts';

interface PanelProps extends ViewProps {
  readonly layout: Layout;
  readonly callToAction: string | undefined;
  readonly isPreview: boolean;
  /** False while the visitor has minimized a conversation, which continues. */
  readonly isOpen: boolean;
  readonly panel: RefObject<HTMLElement | null>;
  /** Null where it cannot be minimized. */
  readonly minimize: (() => void) | null;
}

/** The conversation: the persona, what is said, and the controls. */
export function Panel(props: PanelProps) {
  const { conversation, texts, minimize } = props;
  const view = { conversation, texts };
  // On a page of its own it is the content of the page, elsewhere a part.
  const Part = props.layout === 'page' ? 'main' : 'section';
  const Heading = props.layout === 'page' ? 'h1' : 'h2';
  const video = useRef<HTMLVideoElement>(null);
  const config = conversation.look.value?.widgetConfig;
  /** Null: as the persona's configuration says. */
  const [captions, setCaptions] = useState<boolean | null>(null);
  const [transcript, setTranscript] = useState(false);
  const showsCaptions = captions ?? config?.showCaptions ?? false;
  const name = conversation.look.value?.persona.name ?? '';
  const talking = conversation.inConversation.value;
  // Without sound and text at hand, what is said must be readable.
  const needsCaptions = talking && !conversation.hasMicrophone.value && !transcript;

  async function start(byVoice: boolean): Promise<void> {
    if (!props.isPreview && video.current !== null) await conversation.start(video.current, byVoice);
  }

  useEffect(() => {
    if (conversation.canResume.value && video.current !== null) void conversation.resume(video.current);
  }, [conversation.canResume.value]);

  return (
    <Part
      ref={props.panel as never}
      class={transcript ? 'panel with-transcript' : 'panel'}
      hidden={!props.isOpen}
      aria-label={name === '' ? 'Parley' : name}
      tabIndex={-1}
      onKeyDown={minimizeOn('Escape', minimize)}
    >
      <div class="stage">
        <PersonaVideo conversation={conversation} texts={texts} video={video} />
        <Header conversation={conversation} texts={texts} heading={Heading} name={name} minimize={minimize} />
        {talking && (showsCaptions || needsCaptions) && <CaptionLine conversation={conversation} texts={texts} />}
        <Overlay {...view} callToAction={props.callToAction} isPreview={props.isPreview} start={start} />
      </div>
      {talking && <Notice conversation={conversation} texts={texts} />}
      {transcript && <Transcript conversation={conversation} texts={texts} />}
      {talking && (
        <Controls
          {...view}
          captions={showsCaptions}
          toggleCaptions={() => setCaptions(!showsCaptions)}
          transcript={transcript}
          toggleTranscript={() => setTranscript(!transcript)}
        />
      )}
      <Footer conversation={conversation} texts={texts} />
    </Part>
  );
}

function minimizeOn(key: string, minimize: (() => void) | null) {
  return (event: KeyboardEvent): void => {
    if (event.key !== key || minimize === null) return;
    event.stopPropagation();
    minimize();
  };
}

function Footer({ conversation, texts }: ViewProps) {
  const look = conversation.look.value;
  const name = look?.persona.name ?? '';
  return (
    <footer>
      <span>{name !== '' && withName(texts.anAi, name)}</span>
      {look?.widgetConfig.removeWatermark === false && <span>{texts.madeWith}</span>}
    </footer>
  );
}

interface HeaderProps extends ViewProps {
  readonly heading: 'h1' | 'h2';
  readonly name: string;
  /** Null where it cannot be minimized. */
  readonly minimize: (() => void) | null;
}

function Header({ conversation, texts, heading: Heading, name, minimize }: HeaderProps) {
  return (
    <header>
      <div class="who">
        <Heading>{name}</Heading>
        <Status conversation={conversation} texts={texts} />
      </div>
      {minimize !== null && (
        <button class="round small" type="button" onClick={minimize} aria-label={texts.minimize}>
          <Icon name="minimize" />
        </button>
      )}
    </header>
  );
}

/** Who speaks now, for eyes. Screen readers hear the conversation itself. */
function Status({ conversation, texts }: ViewProps) {
  if (conversation.phase.value.name !== 'live') return null;
  const name = conversation.look.value?.persona.name ?? '';
  const text = conversation.reconnecting.value
    ? texts.reconnecting
    : withName(
        {
          nobody: texts.listens,
          user: texts.youSpeak,
          persona: texts.speaks,
          both: texts.youSpeak,
          thinking: texts.thinks,
        }[conversation.holder.value],
        name,
      );
  return (
    <p class={`status ${conversation.holder.value}`} role={conversation.reconnecting.value ? 'status' : undefined}>
      {text}
    </p>
  );
}
