import { isFinal, type Ending } from '../problems.ts';
import { type Texts, withName } from '../texts/texts.ts';
import { Icon } from './icon.tsx';
import type { ViewProps } from './view-props.ts';

interface OverlayProps extends ViewProps {
  readonly callToAction: string | undefined;
  readonly isPreview: boolean;
  readonly start: (byVoice: boolean) => Promise<void>;
}

/** What stands over the picture while nobody talks: the invitation, the wait, the end. */
export function Overlay(props: OverlayProps) {
  const { conversation, texts, start } = props;
  const look = conversation.look.value;
  const name = look?.persona.name ?? '';
  const phase = conversation.phase.value;
  switch (phase.name) {
    case 'loading':
      return <Waiting text={texts.loading} />;
    case 'refused':
      return (
        <div class="overlay" role="alert">
          <p class="sentence">{texts.problems[phase.problem]}</p>
          {!isFinal(phase.problem) && (
            <button class="button" type="button" onClick={() => void conversation.load()}>
              {texts.tryAgain}
            </button>
          )}
        </div>
      );
    case 'ready':
      return (
        <div class="overlay">
          <p class="sentence">{props.callToAction ?? look?.widgetConfig.callToAction}</p>
          <StartButtons texts={texts} talk={texts.talk} start={start} />
          {props.isPreview && <p class="small">{texts.preview}</p>}
        </div>
      );
    case 'starting':
      return <Waiting text={withName(phase.step === 'microphone' ? texts.allowMicrophone : texts.connecting, name)} />;
    case 'live':
      return conversation.soundBlocked.value ? (
        <div class="overlay clear">
          <button
            class="button primary"
            type="button"
            onClick={() => {
              // The click itself turns it on.
              conversation.soundBlocked.value = false;
            }}
          >
            {texts.turnOnSound}
          </button>
        </div>
      ) : null;
    case 'over':
      return (
        <div class="overlay" role="alert">
          <p class="sentence">{endingText(texts, phase.ending)}</p>
          {(phase.ending === null || phase.ending.startsWith('ended') || !isFinal(phase.ending as never)) && (
            <StartButtons texts={texts} talk={phase.ending === null ? texts.talkAgain : texts.tryAgain} start={start} />
          )}
        </div>
      );
  }
}

function endingText(texts: Texts, ending: Ending | null): string {
  if (ending === null) return texts.ended;
  return ending === 'endedBySilence' || ending === 'endedByLength' ? texts[ending] : texts.problems[ending];
}

function StartButtons({ texts, talk, start }: { texts: Texts; talk: string; start: OverlayProps['start'] }) {
  return (
    <div class="row">
      <button class="button primary" type="button" onClick={() => void start(true)}>
        <Icon name="mic" />
        {talk}
      </button>
      <button class="button" type="button" onClick={() => void start(false)}>
        {texts.typeInstead}
      </button>
    </div>
  );
}

function Waiting({ text }: { text: string }) {
  return (
    <div class="overlay clear" role="status">
      <span class="spinner" aria-hidden="true" />
      <p>{text}</p>
    </div>
  );
}
