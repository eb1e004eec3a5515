import { listPersonas } from '../../api/routes.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Icon } from '../../components/icon.tsx';
import { PageHead, Shown } from '../../components/page.tsx';
import { useLoaded, useLoadedAgain } from '../../state/load.ts';
import { InviteCard } from './invite-card.tsx';
import { InviteForm } from './invite-form.tsx';
import { inOrder, isOpen } from './invite-wording.ts';
import { listInvites, listProviders, type MeetingInvite, type MeetingProviders } from './meeting-api.ts';
import { ProviderList } from './provider-list.tsx';

/** How often the service is asked while an invite may change. */
const ASK_EVERY_MS = 3_000;
/** Installs what is missing and starts the service, if that is what is needed. */
const COMMAND = 'bash scripts/start.sh --meetings';

/** Personas in web meetings: invite one by a link, see where each is and what it sees, call it back. */
export function Meetings() {
  const form = useLoaded('meetings', async () => {
    const [providers, personas] = await Promise.all([listProviders(), listPersonas()]);
    return { providers, personas: personas.data };
  });
  const invites = useLoaded('invites', listInvites);
  const anyOpen = invites.state === 'ready' && invites.value.data.some(isOpen);
  useLoadedAgain(invites, ASK_EVERY_MS, anyOpen);

  return (
    <main class="page">
      <PageHead
        title="Meetings"
        text="Send a persona into a web meeting by its link. It joins as a guest, and everybody there sees that it is an AI."
      />
      <Shown loaded={form}>
        {({ providers, personas }) => (
          <div class="columns">
            <div class="stack">
              {providers.enabled ? (
                <InviteForm personas={personas} providers={providers.data} onInvited={invites.again} />
              ) : (
                <Disabled providers={providers} />
              )}
              {providers.data.length > 0 && <ProviderList providers={providers.data} />}
            </div>
            <Shown loaded={invites}>
              {({ data }) => <Invites invites={data} providers={providers} onChanged={invites.again} />}
            </Shown>
          </div>
        )}
      </Shown>
    </main>
  );
}

function Invites(props: { invites: readonly MeetingInvite[]; providers: MeetingProviders; onChanged: () => void }) {
  const { invites, providers, onChanged } = props;
  if (invites.length === 0)
    return (
      <div class="card empty">
        <Icon name="meeting" />
        <p>
          {providers.enabled
            ? 'No persona has been in a meeting yet. Paste the link of one, choose who goes, and watch it join here.'
            : 'Invites appear here when this service can join meetings.'}
        </p>
      </div>
    );
  return (
    <ul class="stack invites" aria-label="Invites">
      {inOrder(invites).map((invite) => (
        <InviteCard
          key={invite.id}
          invite={invite}
          provider={providers.data.find(({ id }) => id === invite.provider)?.name ?? invite.provider}
          onChanged={onChanged}
        />
      ))}
    </ul>
  );
}

/** This service cannot join meetings: why, and what its operator can do. */
function Disabled({ providers: { message } }: { providers: MeetingProviders }) {
  return (
    <section class="card padded stack">
      <div>
        <h2>Meetings are off</h2>
        <p class="muted">{message}</p>
      </div>
      {message?.includes(COMMAND) === true && (
        <>
          <code class="output">{COMMAND}</code>
          <div class="row">
            <CopyButton text={COMMAND}>Copy the command</CopyButton>
          </div>
        </>
      )}
    </section>
  );
}
