import { useState } from 'preact/hooks';
import { FailedWork, Notice } from '../../components/notice.tsx';
import { PageHead, Shown } from '../../components/page.tsx';
import { RequestForm, SubmitButton } from '../../components/request-form.tsx';
import { useFormWork } from '../../state/form-work.ts';
import { apiKey } from '../../state/key.ts';
import { useLoaded } from '../../state/load.ts';
import { go } from '../../state/route.ts';
import { CredentialField, PASSWORD_HINT } from './credential-field.tsx';
import { acceptInvitation, type FoundInvitation, lookUpInvitation } from './sign-in-api.ts';

/** Whoever has the link of an invitation chooses a password. */
export function Invitation({ token }: { token: string }) {
  const found = useLoaded(token, () => lookUpInvitation(token));
  return (
    <main class="page narrow">
      <PageHead title="Choose a password" />
      <Shown loaded={found}>{(invitation) => <ChooseForm token={token} invitation={invitation} />}</Shown>
    </main>
  );
}

function ChooseForm({ token, invitation }: { token: string; invitation: FoundInvitation }) {
  const [password, setPassword] = useState('');
  const form = useFormWork();
  async function onSend(): Promise<void> {
    await acceptInvitation(token, password);
    go('#/');
  }
  return (
    <RequestForm form={form} class="card padded stack" onSend={onSend}>
      <p>
        {invitation.isFirst ? (
          <>
            Welcome, {invitation.name}. You were invited to <strong>{invitation.organizationName}</strong>.
          </>
        ) : (
          <>
            A new password for {invitation.name} of <strong>{invitation.organizationName}</strong>. You are signed out
            wherever you are signed in now.
          </>
        )}
      </p>
      {apiKey.value !== null && (
        <Notice>
          <span>This browser uses Parley already. It will use it as {invitation.email} from then on.</span>
        </Notice>
      )}
      <CredentialField label="E-mail" path="email" is="username" readOnly value={invitation.email} onInput={() => {}} />
      <CredentialField
        label="Password"
        path="password"
        is="new-password"
        hint={PASSWORD_HINT}
        value={password}
        onInput={setPassword}
      />
      <FailedWork work={form.work} />
      <div class="row">
        <SubmitButton form={form}>Sign in</SubmitButton>
      </div>
    </RequestForm>
  );
}
