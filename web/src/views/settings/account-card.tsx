import { useState } from 'preact/hooks';
import { Dialog } from '../../components/dialog.tsx';
import { FormEnd, RequestForm } from '../../components/request-form.tsx';
import { useFormWork } from '../../state/form-work.ts';
import { leave, me } from '../../state/me.ts';
import { nameOfRole } from '../../state/denial-reason.ts';
import { go } from '../../state/route.ts';
import { CredentialField, PASSWORD_HINT } from '../sign-in/credential-field.tsx';
import { changePassword } from '../sign-in/sign-in-api.ts';

/** The user who is signed in, where the API key is shown else. */
export function AccountCard() {
  const [isChanging, setChanging] = useState(false);
  const [isChanged, setChanged] = useState(false);
  const who = me.value;
  if (who === null || who.role === null) return null;
  return (
    <section class="card padded stack">
      <div class="account">
        <h2>{who.name}</h2>
        <p class="muted small">
          {who.email} · {nameOfRole(who.role)} of {who.organization.name}
        </p>
      </div>
      <div class="row">
        <button class="button" type="button" onClick={() => void leave().then(() => go('#/'))}>
          Sign out
        </button>
        <button class="button" type="button" onClick={() => setChanging(true)}>
          Change password
        </button>
        {isChanged && (
          <span class="badge good" role="status">
            Changed
          </span>
        )}
      </div>
      {isChanging && (
        <ChangeDialog
          email={who.email ?? ''}
          onClose={() => setChanging(false)}
          onChanged={() => {
            setChanging(false);
            setChanged(true);
          }}
        />
      )}
    </section>
  );
}

function ChangeDialog(props: { email: string; onClose: () => void; onChanged: () => void }) {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const form = useFormWork();
  async function onSend(): Promise<void> {
    await changePassword(current, next);
    props.onChanged();
  }
  return (
    <Dialog title="Change password" onClose={props.onClose}>
      <RequestForm form={form} class="stack" onSend={onSend}>
        <p class="muted">You are signed out everywhere else.</p>
        {/* For the browser's password manager. */}
        <input hidden type="email" autocomplete="username" readOnly value={props.email} />
        <CredentialField
          label="Current password"
          path="currentPassword"
          is="current-password"
          value={current}
          onInput={setCurrent}
        />
        <CredentialField
          label="New password"
          path="newPassword"
          is="new-password"
          hint={PASSWORD_HINT}
          value={next}
          onInput={setNext}
        />
        <FormEnd form={form} save="Change" cancel={props.onClose} />
      </RequestForm>
    </Dialog>
  );
}
