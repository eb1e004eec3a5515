import { useState } from 'preact/hooks';
import { ApiError } from '../../api/client.ts';
import { InputError } from '../../api/problem.ts';
import type { PersonaSummary } from '../../api/types.ts';
import { ChoiceField, SelectField, TextField } from '../../components/fields.tsx';
import { FailedWork } from '../../components/notice.tsx';
import { RequestForm, SubmitButton } from '../../components/request-form.tsx';
import { useFormWork } from '../../state/form-work.ts';
import { type InviteDraft, localTime, orderOf } from './invite-draft.ts';
import { invite, type MeetingProviders } from './meeting-api.ts';
import { Options } from '../../components/options.tsx';

/** What is proposed for a meeting that is planned: early enough that a place is kept. */
const USUAL_LEAD_MS = 15 * 60_000;
const MAX_NAME_LENGTH = 100;
/** Of the text of an invitation, in which the link is found. */
const MAX_INVITATION_LENGTH = 20_000;
const ONE_OF = new Intl.ListFormat('en', { type: 'disjunction' });

/** Invites a persona to a meeting. */
export function InviteForm(props: {
  personas: readonly PersonaSummary[];
  providers: MeetingProviders['data'];
  onInvited: () => void;
}) {
  const { personas, providers, onInvited } = props;
  const [draft, setDraft] = useState<InviteDraft>({
    link: '',
    personaId: personas[0]?.id ?? '',
    displayName: '',
    groupCall: true,
    when: 'now',
    time: localTime(Date.now() + USUAL_LEAD_MS),
  });
  const form = useFormWork();
  const change = (part: Partial<InviteDraft>): void => setDraft({ ...draft, ...part });

  async function onSend(): Promise<void> {
    await invite(orderOf(draft)).catch(aboutTheLink);
    change({ link: '', displayName: '' });
    onInvited();
  }

  if (personas.length === 0) return <NobodyToSend />;
  return (
    <RequestForm form={form} class="card padded stack" aria-label="Invite" onSend={onSend}>
      <TextField
        label="Link of the meeting"
        path="meetingUrl"
        required
        maxLength={MAX_INVITATION_LENGTH}
        value={draft.link}
        placeholder="https://meet.google.com/abc-defg-hij"
        hint={`Or the text of an invitation. From ${ONE_OF.format(providers.map(({ name }) => name))}.`}
        onInput={(link) => change({ link })}
      />
      <Who draft={draft} personas={personas} change={change} />
      <Kind draft={draft} change={change} />
      <When draft={draft} change={change} />
      <FailedWork work={form.work} />
      <div>
        <SubmitButton form={form}>{draft.when === 'now' ? 'Send it in' : 'Plan it'}</SubmitButton>
      </div>
    </RequestForm>
  );
}

/** @throws InputError for what the API says of the link, else the error. */
function aboutTheLink(error: unknown): never {
  if (!(error instanceof ApiError && error.message.startsWith('meetingUrl '))) throw error;
  throw new InputError({ path: 'meetingUrl', message: 'This is not the link of a meeting that a persona can join.' });
}

interface PartProps {
  readonly draft: InviteDraft;
  readonly change: (part: Partial<InviteDraft>) => void;
}

function NobodyToSend() {
  return (
    <section class="card padded stack">
      <p>A meeting needs somebody who goes there.</p>
      <div>
        <a class="button primary" href="#/personas/new">
          Make a persona
        </a>
      </div>
    </section>
  );
}

function Who({ draft, personas, change }: PartProps & { personas: readonly PersonaSummary[] }) {
  const persona = personas.find(({ id }) => id === draft.personaId);
  return (
    <div class="pair">
      <SelectField
        label="Who goes"
        path="personaId"
        value={draft.personaId}
        onChange={(personaId) => change({ personaId })}
      >
        <Options of={personas.map(({ id, name }) => [id, name])} />
      </SelectField>
      <TextField
        label="Name in the meeting"
        path="displayName"
        maxLength={MAX_NAME_LENGTH}
        value={draft.displayName}
        placeholder={persona?.name ?? ''}
        hint="“(AI)” is always added."
        onInput={(displayName) => change({ displayName })}
      />
    </div>
  );
}

function Kind({ draft, change }: PartProps) {
  return (
    <ChoiceField
      label="Kind"
      path="groupCall"
      value={draft.groupCall ? 'group' : 'single'}
      options={[
        ['group', 'Group'],
        ['single', 'One to one'],
      ]}
      hint={
        draft.groupCall
          ? 'It joins silently, and answers when somebody says its name.'
          : 'It greets, and answers everything that is said.'
      }
      onChange={(kind) => change({ groupCall: kind === 'group' })}
    />
  );
}

function When({ draft, change }: PartProps) {
  return (
    <>
      <ChoiceField
        label="When"
        value={draft.when}
        options={[
          ['now', 'Now'],
          ['later', 'At a time'],
        ]}
        onChange={(when) => change({ when })}
      />
      {draft.when === 'later' && (
        <TextField
          label="Time"
          path="joinAt"
          type="datetime-local"
          required
          value={draft.time}
          hint="Up to 7 days ahead. From 10 minutes ahead, a place is kept for it."
          onInput={(time) => change({ time })}
        />
      )}
    </>
  );
}
