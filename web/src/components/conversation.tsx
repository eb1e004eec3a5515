import { useEffect, useRef } from 'preact/hooks';

export interface Line {
  readonly id: string;
  readonly role: 'user' | 'persona' | 'tool';
  readonly content: string;
  readonly interrupted: boolean;
  /** @defaultValue true */
  readonly forPersona?: boolean;
}

const WHO: Readonly<Record<Line['role'], string>> = { user: 'You', persona: 'Persona', tool: 'Tool' };

/** @param following keeps the newest line in view. */
export function Conversation({ lines, following = false }: { lines: readonly Line[]; following?: boolean }) {
  const list = useRef<HTMLOListElement>(null);
  const newest = lines.at(-1);
  useEffect(() => {
    // Only the panel scrolls, never the page under the face.
    const panel = list.current?.closest('[role="tabpanel"]');
    if (following && panel) panel.scrollTop = panel.scrollHeight;
  }, [following, newest?.id, newest?.content]);
  if (lines.length === 0) return <p class="muted small">Nothing has been said yet.</p>;
  return (
    <ol class="conversation" ref={list}>
      {lines.map((line) => (
        <li key={line.id} class={`bubble ${line.role}`}>
          <span class="visually-hidden">{WHO[line.role]}: </span>
          {line.content}
          {line.interrupted && <span class="cut">interrupted</span>}
          {line.forPersona === false && <span class="cut">not for the persona</span>}
        </li>
      ))}
    </ol>
  );
}
