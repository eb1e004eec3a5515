import { useState } from 'preact/hooks';
import { FailedWork, Notice } from '../../components/notice.tsx';
import { RequestForm, SubmitButton } from '../../components/request-form.tsx';
import { useFormWork } from '../../state/form-work.ts';
import { signInEnded } from '../../state/key.ts';
import { me } from '../../state/me.ts';
import { CredentialField } from './credential-field.tsx';
import { signIn } from './sign-in-api.ts';

/** For users whom an admin has invited. */
export function SignInCard() {
  const [email, setEmail] = useState(me.value?.email ?? '');
  const [password, setPassword] = useState('');
  const form = useFormWork();
  return (
    <RequestForm form={form} class="card padded stack" onSend={() => signIn(email, password)}>
      <h2>Sign in</h2>
      {signInEnded.value && (
        <Notice>
          <span>Your sign-in has ended. Sign in again: what you had not saved is still here.</span>
        </Notice>
      )}
      <CredentialField label="E-mail" path="email" is="username" value={email} onInput={setEmail} />
      <CredentialField
        label="Password"
        path="password"
        is="current-password"
        hint="If you forgot it, an admin of your organization can make you a new link."
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
