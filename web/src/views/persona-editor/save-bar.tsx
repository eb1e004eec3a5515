import type { Work } from '../../state/work.ts';

/** What the form has to say about being saved, and the buttons, always in sight. */
export function SaveBar(props: {
  form: string;
  work: Work;
  isNew: boolean;
  isChanged: boolean;
  wasSaved: boolean;
  onDiscard: () => void;
}) {
  const { work, isNew, isChanged, wasSaved } = props;
  const running = work.state === 'running';
  return (
    <div class="save-bar">
      {work.state === 'failed' ? (
        <p class="problem" role="alert">
          {work.message}
        </p>
      ) : (
        <p class="muted small" role="status">
          {isChanged ? 'Not saved yet.' : wasSaved ? 'Saved.' : ''}
        </p>
      )}
      {isChanged && (
        <button class="button quiet" type="button" disabled={running} onClick={props.onDiscard}>
          Discard
        </button>
      )}
      <button class="button primary" type="submit" form={props.form} disabled={running || (!isNew && !isChanged)}>
        {running ? 'One moment…' : isNew ? 'Create' : 'Save'}
      </button>
    </div>
  );
}
