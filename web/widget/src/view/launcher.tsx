import type { RefObject } from 'preact';
import { withName } from '../texts/texts.ts';
import { Icon } from './icon.tsx';
import type { ViewProps } from './view-props.ts';

/** The button in the corner of a page. */
export function Launcher(
  props: ViewProps & {
    callToAction: string | undefined;
    isOpen: boolean;
    button: RefObject<HTMLButtonElement | null>;
    open: () => void;
  },
) {
  const { conversation, texts } = props;
  const look = conversation.look.value;
  if (props.isOpen) return null;
  const phase = conversation.phase.value;
  if (phase.name === 'refused')
    return (
      <p class="launcher refused" role="status">
        {texts.problems[phase.problem]}
      </p>
    );
  const name = look?.persona.name;
  return (
    <button
      ref={props.button}
      class={conversation.inConversation.value ? 'launcher in-conversation' : 'launcher'}
      type="button"
      aria-expanded="false"
      onClick={props.open}
    >
      {look?.persona.avatarImageUrl ? (
        <img src={look.persona.avatarImageUrl} alt="" />
      ) : (
        <span class="picture" aria-hidden="true">
          <Icon name="talk" />
        </span>
      )}
      <span class="text">
        {props.callToAction ?? look?.widgetConfig.callToAction ?? texts.talk}
        {name !== undefined && <span class="visually-hidden">. {withName(texts.open, name)}</span>}
      </span>
    </button>
  );
}
