import { useEffect, useRef } from 'preact/hooks';
import type { ViewProps } from './view-props.ts';

/** All that was said, newest at the foot. */
export function Transcript({ conversation, texts }: ViewProps) {
  const list = useRef<HTMLDivElement>(null);
  const messages = conversation.transcript.value;
  useEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [messages]);
  const name = conversation.look.value?.persona.name ?? '';
  return (
    <div ref={list} class="transcript" role="log" aria-label={texts.transcript} tabIndex={0}>
      {messages.map(({ id, role, content }) => (
        <p key={id} class={role}>
          <strong>{role === 'user' ? texts.you : name}</strong> <span>{content}</span>
        </p>
      ))}
    </div>
  );
}
