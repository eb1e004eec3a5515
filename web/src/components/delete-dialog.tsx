import { useState } from 'preact/hooks';
import { ApiError, request, type Use } from '../api/client.ts';
import { useLoaded } from '../state/load.ts';
import { useWork } from '../state/work.ts';
import { Dialog } from './dialog.tsx';
import { SelectField } from './fields.tsx';
import { FailedWork } from './notice.tsx';

/** Something that may take the place of what is deleted. */
export interface Replacement {
  readonly id: string;
  readonly name: string;
}

/** @returns what a list offers in place of one of its rows. */
export const namesOf = (
  rows: readonly { readonly id: string; readonly displayName: string }[],
  withoutId: string,
): readonly Replacement[] =>
  rows.filter(({ id }) => id !== withoutId).map(({ id, displayName }) => ({ id, name: displayName }));

interface DeleteDialogProps {
  /** Of what is deleted. */
  readonly name: string;
  /** Its address in the API, maybe with a query. */
  readonly path: string;
  /** What becomes of the rest. */
  readonly text: string;
  /** What its users could have instead. Absent: they go without. */
  readonly replacements?: () => Promise<readonly Replacement[]>;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/**
 * Asks before something is deleted. If something uses it, it is not deleted at once: its users are named, and they can have
 * another one instead.
 */
export function DeleteDialog(props: DeleteDialogProps) {
  const { work, run } = useWork();
  const [users, setUsers] = useState<readonly Use[]>([]);
  const remove = (query: string): void =>
    void run(async () => {
      try {
        await request('DELETE', `${props.path}${props.path.includes('?') ? '&' : '?'}${query}`);
        props.onDeleted();
      } catch (error) {
        if (!(error instanceof ApiError) || error.usedBy.length === 0) throw error;
        setUsers(error.usedBy);
      }
    });
  const isBusy = work.state === 'running';
  return (
    <Dialog title={`Delete ${props.name}?`} onClose={props.onClose}>
      <div class="stack dialog-body">
        {users.length === 0 ? (
          <>
            <p>{props.text}</p>
            <Buttons
              remove="Delete"
              keep="Cancel"
              isBusy={isBusy}
              onRemove={() => remove('whenUsed=refuse')}
              onKeep={props.onClose}
            />
          </>
        ) : (
          <>
            <Users users={users} onLeave={props.onClose} />
            <p>{props.text}</p>
            {props.replacements !== undefined && (
              <Instead
                load={props.replacements}
                isBusy={isBusy}
                onChosen={(id) => remove(`replaceWith=${encodeURIComponent(id)}`)}
              />
            )}
            <Buttons
              remove="Delete all the same"
              keep="Keep it"
              isBusy={isBusy}
              onRemove={() => remove('whenUsed=delete')}
              onKeep={props.onClose}
            />
          </>
        )}
        <FailedWork work={work} />
      </div>
    </Dialog>
  );
}

function Buttons(props: { remove: string; keep: string; isBusy: boolean; onRemove: () => void; onKeep: () => void }) {
  return (
    <div class="row">
      <button class="button danger" type="button" aria-disabled={props.isBusy} onClick={props.onRemove}>
        {props.remove}
      </button>
      <button class="button quiet" type="button" onClick={props.onKeep}>
        {props.keep}
      </button>
    </div>
  );
}

function Users({ users, onLeave }: { users: readonly Use[]; onLeave: () => void }) {
  return (
    <div role="status">
      <p>{users.length === 1 ? 'Something uses it:' : `${users.length} use it:`}</p>
      <ul class="users">
        {users.map((use) => (
          <li key={`${use.kind} ${use.id} ${use.name}`}>
            <span class="muted small">{use.kind}</span>{' '}
            <a href={addressOf(use)} onClick={onLeave}>
              {use.name}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

function addressOf({ kind, id }: Use): string {
  if (kind === 'share link') return '#/share';
  if (kind === 'draft' || kind === 'version') return `#/personas/${id}`;
  return kind === 'widget' ? `#/personas/${id}/widget` : `#/${kind}s/${id}`;
}

function Instead(props: {
  load: () => Promise<readonly Replacement[]>;
  isBusy: boolean;
  onChosen: (id: string) => void;
}) {
  const loaded = useLoaded('replacements', props.load);
  const [chosen, setChosen] = useState<string | null>(null);
  if (loaded.state !== 'ready' || loaded.value.length === 0) return null;
  const id = chosen ?? loaded.value[0]!.id;
  return (
    <div class="stack">
      <SelectField label="They use instead" value={id} onChange={setChosen}>
        {loaded.value.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name}
          </option>
        ))}
      </SelectField>
      <div class="row">
        <button class="button primary" type="button" aria-disabled={props.isBusy} onClick={() => props.onChosen(id)}>
          Replace it, and delete
        </button>
      </div>
    </div>
  );
}
