import { useState } from 'preact/hooks';
import { DeleteDialog } from '../../components/delete-dialog.tsx';
import { FailedWork } from '../../components/notice.tsx';
import { Options } from '../../components/options.tsx';
import { useBlocked } from '../../components/permission.tsx';
import { nameOfRole } from '../../state/denial-reason.ts';
import { confirm } from '../../state/confirm.ts';
import { useWork } from '../../state/work.ts';
import { moment } from '../sessions/wording.ts';
import { changeUser, newInvitation, type Role, ROLE_OPTIONS, type User, type NewLink } from './user-api.ts';

interface UserRowProps {
  readonly user: User;
  readonly onChanged: () => void;
  readonly onLink: (link: NewLink) => void;
}

export function UserRow({ user, onChanged, onLink }: UserRowProps) {
  const { work, run } = useWork();
  const blocked = useBlocked();
  return (
    <li class="row-line user-row">
      <span class="what">
        <strong>{user.name}</strong>
        <span class="muted small">
          {user.email} · {lastSeen(user)}
        </span>
      </span>
      {user.isYou && <span class="badge">You</span>}
      {user.status !== 'active' && (
        <span class={user.status === 'disabled' ? 'badge bad' : 'badge warn'}>
          {user.status === 'disabled' ? 'Disabled' : 'Invited'}
        </span>
      )}
      {user.isYou || blocked !== null ? (
        <span class="badge">{nameOfRole(user.role)}</span>
      ) : (
        <Actions user={user} run={run} onChanged={onChanged} onLink={onLink} />
      )}
      <FailedWork work={work} />
    </li>
  );
}

function Actions(props: UserRowProps & { run: (task: () => Promise<void>) => Promise<void> }) {
  const { user, run, onChanged, onLink } = props;
  const [isAsking, setAsking] = useState(false);
  const isDisabled = user.status === 'disabled';
  const change = (changes: Parameters<typeof changeUser>[1]): void =>
    void run(async () => {
      await changeUser(user.id, changes);
      onChanged();
    });
  const onNewLink = (): void =>
    void run(async () => {
      const text = 'The link before stops working. The password stays until another one is chosen.';
      if (user.status === 'active' && !(await confirm({ title: `A new link for ${user.name}?`, text, yes: 'Make it' })))
        return;
      onLink({ name: user.name, ...(await newInvitation(user.id)) });
      onChanged();
    });
  return (
    <span class="row user-actions">
      <select
        class="input"
        aria-label={`Role of ${user.name}`}
        value={user.role}
        onChange={(event) => change({ role: event.currentTarget.value as Role })}
      >
        <Options of={ROLE_OPTIONS} />
      </select>
      {!isDisabled && (
        <button class="button" type="button" onClick={onNewLink}>
          New link<span class="visually-hidden"> for {user.name}</span>
        </button>
      )}
      <button class="button" type="button" onClick={() => change({ disabled: !isDisabled })}>
        {isDisabled ? 'Enable' : 'Disable'}
        <span class="visually-hidden"> {user.name}</span>
      </button>
      <button class="button quiet" type="button" onClick={() => setAsking(true)}>
        Delete<span class="visually-hidden"> {user.name}</span>
      </button>
      {isAsking && (
        <DeleteDialog
          name={user.name}
          path={`/v1/users/${user.id}`}
          text="They are signed out and cannot come back. What they made stays."
          onClose={() => setAsking(false)}
          onDeleted={() => {
            setAsking(false);
            onChanged();
          }}
        />
      )}
    </span>
  );
}

function lastSeen({ status, lastSignInAt, invitationExpiresAt }: User): string {
  if (status === 'invited' && invitationExpiresAt !== null) return `link until ${moment(invitationExpiresAt)}`;
  return lastSignInAt === null ? 'never signed in' : `signed in ${moment(lastSignInAt)}`;
}
