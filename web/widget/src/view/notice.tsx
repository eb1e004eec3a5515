import { Icon } from './icon.tsx';
import type { ViewProps } from './view-props.ts';

/** A problem beside a conversation that goes on, such as a microphone that is not allowed. */
export function Notice({ conversation, texts }: ViewProps) {
  const problem = conversation.notice.value;
  if (problem === null) return null;
  return (
    <div class="notice" role="alert">
      <p>{texts.problems[problem]}</p>
      <button
        class="round small"
        type="button"
        aria-label={texts.dismiss}
        onClick={() => {
          conversation.notice.value = null;
        }}
      >
        <Icon name="cross" />
      </button>
    </div>
  );
}
