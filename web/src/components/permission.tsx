import { type ComponentChildren, type ComponentProps, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { denialReasonOf } from '../state/me.ts';
import { Notice } from './notice.tsx';

const Blocked = createContext<string | null>(null);

/** What somebody may see, and why they may not change it. */
export function Permission({ scope, children }: { scope: string; children: ComponentChildren }) {
  return <Blocked.Provider value={denialReasonOf(scope)}>{children}</Blocked.Provider>;
}

/** @returns why what is around may not be changed; null: it may. */
export function useBlocked(): string | null {
  return useContext(Blocked);
}

/** A button that changes something. */
export function ChangeButton({ children, disabled = false, title, ...attributes }: ComponentProps<'button'>) {
  const blocked = useBlocked();
  return (
    <button {...attributes} type="button" disabled={disabled === true || blocked !== null} title={blocked ?? title}>
      {children}
    </button>
  );
}

/** Said once, where a form or a page begins. */
export function BlockedNotice() {
  const blocked = useBlocked();
  return blocked === null ? null : (
    <div class="blocked">
      <Notice>
        <span>{blocked}</span>
      </Notice>
    </div>
  );
}

/** In the place of a page that may not even be seen. */
export function Hidden({ title, why }: { title: string; why: string }) {
  return (
    <main class="page narrow">
      <header class="page-head">
        <h1>{title}</h1>
      </header>
      <Notice>
        <span>{why}</span>
      </Notice>
    </main>
  );
}
