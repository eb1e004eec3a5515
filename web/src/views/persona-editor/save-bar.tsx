import { useBlocked } from '../../components/permission.tsx';
import type { Work } from '../../state/work.ts';

export interface SaveState {
  readonly isNew: boolean;
  /** There is something that is not in the draft yet. */
  readonly isChanged: boolean;
  readonly hasDraft: boolean;
  /** What was just done. */
  readonly told: string;
  /** The one that is live. */
  readonly version: number;
}

/** What the form has to say about being saved, and the buttons, always in sight. */
export function SaveBar(props: {
  form: string;
  work: Work;
  state: SaveState;
  onDiscard: () => void;
  onPublish: () => void;
}) {
  const { work, state } = props;
  const { isNew, isChanged, hasDraft, told, version } = state;
  const running = work.state === 'running';
  const cannot = useBlocked() !== null || running;
  return (
    <div class="save-bar">
      {work.state === 'failed' ? (
        <p class="problem" role="alert">
          {work.message}
        </p>
      ) : (
        <p class={told === '' || isChanged ? 'muted small' : 'told small'} role="status">
          {isChanged
            ? 'Not saved yet.'
            : told || (hasDraft ? 'A draft, not live yet.' : isNew ? '' : `Live: version ${version}.`)}
        </p>
      )}
      {(isChanged || hasDraft) && (
        <button class="button quiet" type="button" disabled={running} onClick={props.onDiscard}>
          Discard
        </button>
      )}
      {isNew ? (
        <button class="button primary" type="submit" form={props.form} disabled={cannot}>
          {running ? 'One moment…' : 'Create'}
        </button>
      ) : (
        <>
          <button class="button" type="submit" form={props.form} disabled={cannot || !isChanged}>
            {running ? 'One moment…' : 'Save draft'}
          </button>
          <button
            class="button primary"
            type="button"
            disabled={cannot || !(isChanged || hasDraft)}
            onClick={props.onPublish}
          >
            Publish…
          </button>
        </>
      )}
    </div>
  );
}
