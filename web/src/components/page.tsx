import type { ComponentChildren } from 'preact';
import type { Loaded } from '../state/load.ts';
import type { Work } from '../state/work.ts';
import { Icon, type IconName } from './icon.tsx';
import { LoadFailed, Notice } from './notice.tsx';

/** The title of a view, what it is for, and its main button. */
export function PageHead({ title, text, children }: { title: string; text?: string; children?: ComponentChildren }) {
  return (
    <header class="page-head">
      <div>
        <h1>{title}</h1>
        {text !== undefined && <p>{text}</p>}
      </div>
      {children}
    </header>
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
  if (loaded.state === 'failed') return <LoadFailed message={loaded.message} again={loaded.again} />;
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

/** The buttons under a form, and why it could not be saved. */
export function FormEnd(props: {
  work: Work;
  save: string;
  /** Where one goes without saving. */
  cancel: string | (() => void);
  onDelete?: (() => void) | undefined;
  /** A second way to save: what is saved is tried at once. It starts only if the form is valid. */
  check?: { readonly label: string; readonly run: () => void };
}) {
  const { check } = props;
  return (
    <>
      {props.work.state === 'failed' && (
        <Notice bad>
          <span>{props.work.message}</span>
        </Notice>
      )}
      <div class="form-end">
        <button class="button primary" type="submit" disabled={props.work.state === 'running'}>
          {props.work.state === 'running' ? 'One moment…' : props.save}
        </button>
        {check !== undefined && (
          <button
            class="button"
            type="button"
            disabled={props.work.state === 'running'}
            onClick={(event) => {
              if (event.currentTarget.form?.reportValidity() === true) check.run();
            }}
          >
            {check.label}
          </button>
        )}
        {typeof props.cancel === 'string' ? (
          <a class="button quiet" href={props.cancel}>
            Cancel
          </a>
        ) : (
          <button class="button quiet" type="button" onClick={props.cancel}>
            Cancel
          </button>
        )}
        {props.onDelete !== undefined && (
          <button class="button quiet delete" type="button" onClick={props.onDelete}>
            Delete
          </button>
        )}
      </div>
    </>
  );
}
