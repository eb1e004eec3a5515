import { HttpError } from '../../errors/http-error.ts';
import type { StoredInvite } from './invite-rows.ts';
import type { MeetingInvite } from './meeting-schema.ts';
import type { Store } from '../../store/open.ts';

/** @throws HttpError 404. */
export async function findInvite(
  { store }: { readonly store: Store },
  organizationId: string,
  id: string,
): Promise<StoredInvite> {
  const row = await store.db
    .selectFrom('meeting_invites')
    .selectAll()
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  if (row === undefined)
    throw new HttpError('notFound', { message: 'No meeting invite of this organization has this id.' });
  return row;
}

export function inviteOf(row: StoredInvite): MeetingInvite {
  return {
    id: row.id,
    provider: row.provider as MeetingInvite['provider'],
    meetingUrl: row.meeting_url,
    displayName: row.display_name,
    status: row.status,
    createdAt: row.created_at,
    joinAt: row.join_at,
    groupCall: row.group_call === 1,
    sessionId: row.session_id,
    region: row.region,
    joinState: row.join_state,
    statusReason: row.status_reason,
    statusMessage: row.status_message,
  };
}
