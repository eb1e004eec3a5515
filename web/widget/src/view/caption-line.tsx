import { withName } from '../texts/texts.ts';
import type { ViewProps } from './view-props.ts';

/** What is being said, at the foot of the picture. The transcript is what screen readers read. */
export function CaptionLine({ conversation, texts }: ViewProps) {
  const caption = conversation.caption.value;
  if (caption === null || caption.text.trim() === '') return null;
  const name = conversation.look.value?.persona.name ?? '';
  return (
    <p class={`caption ${caption.role}`} aria-live="polite" aria-atomic="true">
      <span class="visually-hidden">{caption.role === 'user' ? texts.you : withName('{name}', name)}: </span>
      <span>{caption.text}</span>
    </p>
  );
}
