import { useState } from 'preact/hooks';
import { CopyButton } from '../../components/copy-button.tsx';
import { PageHead, Shown } from '../../components/page.tsx';
import { useLoaded } from '../../state/load.ts';
import { moment } from '../sessions/wording.ts';
import { InviteForm } from './invite-form.tsx';
import { listUsers, type NewLink } from './user-api.ts';
import { UserRow } from './user-row.tsx';

/** People of the organization who sign in: invited, given a role, shut out. */
export function Users() {
  const users = useLoaded('users', listUsers);
  const [link, setLink] = useState<NewLink | null>(null);
  return (
    <main class="page">
      <PageHead title="Users" text="People who sign in to this console. Each has a password and a role of their own." />
      <Shown loaded={users}>
        {(all) => (
          <div class="columns">
            <div class="stack">
              {link !== null && <LinkCard link={link} onDone={() => setLink(null)} />}
              <InviteForm
                onInvited={(invited) => {
                  setLink(invited);
                  users.again();
                }}
              />
            </div>
            {all.length === 0 ? (
              <div class="card empty">
                <p>Nobody signs in yet. Whoever has an API key uses the console with it.</p>
              </div>
            ) : (
              <ul class="card rows" aria-label="Users">
                {all.map((user) => (
                  <UserRow key={user.id} user={user} onChanged={users.again} onLink={setLink} />
                ))}
              </ul>
            )}
          </div>
        )}
      </Shown>
    </main>
  );
}

function LinkCard({ link, onDone }: { link: NewLink; onDone: () => void }) {
  return (
    <section class="card padded stack" aria-live="polite">
      <div>
        <h2>The link for {link.name}</h2>
        <p class="muted small">
          Give it to {link.name}, and to nobody else: whoever opens it chooses the password. It works once, until{' '}
          {moment(link.invitationExpiresAt)}, and is not shown again.
        </p>
      </div>
      <code class="output secret">{link.invitationUrl}</code>
      <div class="row">
        <CopyButton text={link.invitationUrl}>Copy the link</CopyButton>
        <button class="button quiet" type="button" onClick={onDone}>
          Done
        </button>
      </div>
    </section>
  );
}
