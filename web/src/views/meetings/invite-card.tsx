import { ChangeButton } from '../../components/permission.tsx';
import { confirm } from '../../state/confirm.ts';
import { useWork } from '../../state/work.ts';
import { FailedWork } from '../../components/notice.tsx';
import { moment } from '../sessions/wording.ts';
import { inviteState, isOpen, reasonText } from './invite-wording.ts';
import { LivePicture } from './live-picture.tsx';
import { cancelInvite, type MeetingInvite } from './meeting-api.ts';

/** One invite: who, where, when, how it stands, and what the persona sees. */
export function InviteCard({
  invite,
  provider,
  onChanged,
}: {
  invite: MeetingInvite;
  /** Its name. */
  provider: string;
  onChanged: () => void;
}) {
  const { id, displayName, joinAt, createdAt, sessionId, meetingUrl, groupCall } = invite;
  const { work, run } = useWork();
  const { text, tone, isThere } = inviteState(invite, Date.now());
  const reason = invite.status === 'cancelled' ? null : reasonText(invite);

  function onCancel(): void {
    const question = { title: `Call ${displayName} back?`, text: 'It leaves the meeting at once.', yes: 'Call back' };
    void run(async () => {
      if (isThere && !(await confirm(question))) return;
      await cancelInvite(id);
      onChanged();
    });
  }

  return (
    <li class="card invite">
      {isThere && <LivePicture id={id} name={displayName} />}
      <div class="row">
        <h2>{displayName}</h2>
        <span class={`badge ${tone}`}>{text}</span>
      </div>
      <p class="muted small">
        {[provider, groupCall ? 'group' : 'one to one', moment(joinAt ?? createdAt)].join(' · ')}
      </p>
      <p class="small address">{meetingUrl}</p>
      {reason !== null && (
        <p class={invite.status === 'failed' ? 'reason bad' : 'reason'}>
          {isOpen(invite) ? `${reason} It is tried again.` : reason}
        </p>
      )}
      <FailedWork work={work} />
      {(sessionId !== null || isOpen(invite)) && (
        <div class="row">
          {sessionId !== null && (
            <a class="button" href={`#/sessions/${sessionId}`}>
              {invite.status === 'active' ? 'Its conversation' : 'The conversation'}
              <span class="visually-hidden"> of {displayName}</span>
            </a>
          )}
          {isOpen(invite) && (
            <ChangeButton class="button" disabled={work.state === 'running'} onClick={onCancel}>
              {isThere ? 'Call back' : 'Cancel'}
              <span class="visually-hidden"> {displayName}</span>
            </ChangeButton>
          )}
        </div>
      )}
    </li>
  );
}
