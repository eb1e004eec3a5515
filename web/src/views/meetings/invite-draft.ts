import type { InviteOrder } from './meeting-api.ts';

/** What stands in the form. */
export interface InviteDraft {
  readonly link: string;
  readonly personaId: string;
  readonly displayName: string;
  readonly groupCall: boolean;
  readonly when: 'now' | 'later';
  /** As a `datetime-local` field has it, in the time of this browser. */
  readonly time: string;
}

/** @returns what the API takes. */
export function orderOf(draft: InviteDraft): InviteOrder {
  const displayName = draft.displayName.trim();
  return {
    meetingUrl: draft.link.trim(),
    personaId: draft.personaId,
    groupCall: draft.groupCall,
    ...(displayName !== '' && { displayName }),
    ...(draft.when === 'later' && { joinAt: new Date(draft.time).toISOString() }),
  };
}

/** @param at ms since the epoch. @returns it as a `datetime-local` field has it. */
export function localTime(at: number): string {
  const date = new Date(at - new Date(at).getTimezoneOffset() * 60_000);
  return date.toISOString().slice(0, 16);
}
