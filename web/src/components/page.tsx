import type { ComponentChildren } from 'preact';
import type { Loaded } from '../state/load.ts';
import { Icon, type IconName } from './icon.tsx';
import { BlockedNotice } from './permission.tsx';
import { LoadFailed } from './notice.tsx';

/** The title of a view, what it is for, its main button, and why one may only look at it. */
export function PageHead({ title, text, children }: { title: string; text?: string; children?: ComponentChildren }) {
  return (
    <>
      <header class="page-head">
        <div>
          <h1>{title}</h1>
          {text !== undefined && <p>{text}</p>}
        </div>
        {children}
      </header>
      <BlockedNotice />
    </>
  );
}

export function BackLink({ href, children }: { href: string; children: string }) {
  return (
    <a class="back" href={href}>
      <Icon name="back" />
      {children}
    </a>
  );
}

/** What was loaded, or that it is being loaded, or why it could not be. */
export function Shown<T>({
  loaded,
  children,
}: {
  loaded: Loaded<T> & { readonly again: () => void };
  children: (value: T) => ComponentChildren;
}) {
  if (loaded.state === 'loading') return <div class="skeleton" style={{ height: '18rem' }} aria-busy="true" />;
  if (loaded.state === 'failed')
    return <LoadFailed message={loaded.message} error={loaded.error} again={loaded.again} />;
  return <>{children(loaded.value)}</>;
}

export interface Row {
  readonly id: string;
  readonly href: string;
  readonly title: string;
  readonly text: string;
  readonly badges: readonly { readonly text: string; readonly tone?: 'good' | 'bad' | 'warn' }[];
}

/** A list whose rows open a page each; `empty` says what would stand here. */
export function Rows({ rows, icon, empty }: { rows: readonly Row[]; icon: IconName; empty: string }) {
  if (rows.length === 0)
    return (
      <div class="card empty">
        <Icon name={icon} />
        <p>{empty}</p>
      </div>
    );
  return (
    <ul class="card rows">
      {rows.map((row) => (
        <li key={row.id}>
          <a href={row.href}>
            <span class="what">
              <strong>{row.title}</strong>
              <span class="muted small">{row.text}</span>
            </span>
            {row.badges.map(({ text, tone }) => (
              <span key={text} class={`badge ${tone ?? ''}`}>
                {text}
              </span>
            ))}
          </a>
        </li>
      ))}
    </ul>
  );
}
