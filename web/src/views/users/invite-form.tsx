import { useState } from 'preact/hooks';
import { SelectField, TextField } from '../../components/fields.tsx';
import { FailedWork } from '../../components/notice.tsx';
import { Options } from '../../components/options.tsx';
import { RequestForm, SubmitButton } from '../../components/request-form.tsx';
import { useFormWork } from '../../state/form-work.ts';
import { inviteUser, type Role, ROLE_OPTIONS, ROLES, type NewLink } from './user-api.ts';

export function InviteForm({ onInvited }: { onInvited: (link: NewLink) => void }) {
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('editor');
  const form = useFormWork();
  async function onSend(): Promise<void> {
    const invited = await inviteUser(email.trim(), name, role);
    setEmail('');
    setName('');
    onInvited(invited);
  }
  return (
    <RequestForm form={form} class="card padded stack" onSend={onSend}>
      <h2>Invite a user</h2>
      <TextField
        label="E-mail"
        path="email"
        required
        maxLength={254}
        placeholder="ada@example.com"
        hint="What they sign in with. No mail is sent: you get a link to give them."
        value={email}
        onInput={setEmail}
      />
      <TextField label="Name" path="name" maxLength={255} placeholder="Ada Lovelace" value={name} onInput={setName} />
      <SelectField
        label="Role"
        path="role"
        hint={ROLES[role]}
        value={role}
        onChange={(value) => setRole(value as Role)}
      >
        <Options of={ROLE_OPTIONS} />
      </SelectField>
      <FailedWork work={form.work} />
      <div class="row">
        <SubmitButton form={form}>Make the link</SubmitButton>
      </div>
    </RequestForm>
  );
}
