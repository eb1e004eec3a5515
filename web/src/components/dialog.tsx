import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';

/** What somebody does in a window begins here, not at the button that closes it. */
const FIELDS = 'input, select, textarea';

/**
 * A window over the page, until it is closed. The keyboard begins in its first field, also when its content becomes
 * another one under another title, stays inside, and returns to where it was.
 */
export function Dialog({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    element.current?.showModal();
    return () => {
      element.current?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  useEffect(() => focusFirstField(element.current!), [title]);
  return (
    <dialog
      ref={element}
      class="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div class="dialog-head">
        <h2 id={id}>{title}</h2>
        <button class="button quiet icon-only" type="button" aria-label="Close" onClick={onClose}>
          <Icon name="cross" />
        </button>
      </div>
      {children}
    </dialog>
  );
}

/** Its content may still be loaded. @returns stops waiting for it. */
function focusFirstField(dialog: HTMLElement): () => void {
  const observer = new MutationObserver(tryIt);
  function tryIt(): void {
    const field = dialog.querySelector<HTMLElement>(FIELDS);
    if (field === null) return;
    observer.disconnect();
    field.focus();
  }
  observer.observe(dialog, { childList: true, subtree: true });
  tryIt();
  return () => observer.disconnect();
}
