import type { ComponentChildren } from 'preact';
import { ApiError } from '../api/client.ts';
import type { Work } from '../state/work.ts';
import { Icon } from './icon.tsx';

/** @param tone `good`: something was done. @defaultValue warn */
export function Notice({ tone = 'warn', children }: { tone?: 'warn' | 'bad' | 'good'; children: ComponentChildren }) {
  return (
    <div class={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon name={tone === 'good' ? 'check' : 'alert'} />
      {children}
    </div>
  );
}

/** Why something that a button started has failed. */
export function FailedWork({ work }: { work: Work }) {
  return work.state === 'failed' ? (
    <Notice tone="bad">
      <span>{work.message}</span>
    </Notice>
  ) : null;
}

/** Something could not be loaded. What does not exist is not there at the next try either. */
export function LoadFailed({ message, error, again }: { message: string; error?: unknown; again: () => void }) {
  return (
    <Notice tone="bad">
      <span>{message}</span>
      {!(error instanceof ApiError && error.status === 404) && (
        <button class="button" type="button" onClick={again}>
          Try again
        </button>
      )}
    </Notice>
  );
}
