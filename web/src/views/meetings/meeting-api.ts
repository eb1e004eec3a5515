import type { MeetingInvite, MeetingProviders } from '../../../../control/api/meetings/meeting-schema.ts';
import { ApiError, request } from '../../api/client.ts';
import type { Page } from '../../api/types.ts';
import { apiKey } from '../../state/key.ts';
import { serviceUrl } from '../../api/service.ts';

export type { MeetingInvite, MeetingProviders };

/** What the form sends. */
export interface InviteOrder {
  readonly meetingUrl: string;
  readonly personaId: string;
  readonly displayName?: string;
  readonly groupCall: boolean;
  readonly joinAt?: string;
}

export const listProviders = () => request<MeetingProviders>('GET', '/v1/meetings/providers');
export const listInvites = () => request<Page<MeetingInvite>>('GET', '/v1/meetings/invites?perPage=50');
export const invite = (order: InviteOrder) => request<MeetingInvite>('POST', '/v1/meetings/invites', order);
export const cancelInvite = (id: string) => request<null>('DELETE', `/v1/meetings/invites/${id}`);

/** @returns the JPEG of what the persona sees; null: nothing yet, or no more. @throws ApiError */
export async function pictureOf(id: string): Promise<Blob | null> {
  const response = await fetch(`${serviceUrl()}/v1/meetings/invites/${id}/picture`, {
    headers: { authorization: `Bearer ${apiKey.value ?? ''}` },
  }).catch(() => {
    throw new ApiError(0, 'The service cannot be reached.');
  });
  return response.ok ? response.blob() : null;
}
