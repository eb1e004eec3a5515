import type { MeetingInvite } from './meeting-api.ts';

export interface InviteState {
  readonly text: string;
  readonly tone: 'good live' | 'good' | 'warn' | 'bad' | '';
  /** The persona is in the meeting, or on its way: there may be something to see. */
  readonly isThere: boolean;
}

type Shown = Pick<MeetingInvite, 'status' | 'joinState' | 'joinAt' | 'statusReason'>;

/** @param now ms since the epoch. */
export function inviteState({ status, joinState, joinAt, statusReason }: Shown, now: number): InviteState {
  if (status === 'ended') return { text: 'Over', tone: '', isThere: false };
  if (status === 'cancelled') return { text: 'Cancelled', tone: '', isThere: false };
  if (status === 'failed') return { text: 'Failed', tone: 'bad', isThere: false };
  if (joinState === 'waiting_room') return { text: 'Waiting to be let in', tone: 'warn', isThere: true };
  if (joinState === 'joining')
    return { text: status === 'active' ? 'Going back' : 'Joining', tone: 'good', isThere: true };
  if (joinState === 'media_denied') return { text: 'Without camera and microphone', tone: 'warn', isThere: true };
  if (joinState === 'media_granted') return { text: 'In the meeting, not heard', tone: 'warn', isThere: true };
  if (status === 'active' && joinState !== null) return { text: 'In the meeting', tone: 'good live', isThere: true };
  if (statusReason !== null) return { text: 'Trying again', tone: 'warn', isThere: false };
  const isAhead = joinAt !== null && Date.parse(joinAt) > now;
  return { text: isAhead ? 'Planned' : 'About to join', tone: '', isThere: false };
}

const REASONS: Readonly<Record<string, string>> = {
  removed_by_host: 'The host removed the persona.',
  meeting_ended: 'The meeting is over.',
  not_admitted: 'Nobody let the persona in.',
  join_denied: 'The host did not let the persona in.',
  meeting_link_invalid: 'The link leads to no meeting.',
  meeting_not_started: 'The meeting has not started.',
  idle_timeout: 'Nobody else was there any more.',
  left_call: 'The persona left.',
  provider_error: 'The meeting’s page did not work as expected.',
};

/** @returns why it came so, as a sentence; null: nothing to say. */
export function reasonText({ statusReason, statusMessage }: Pick<MeetingInvite, 'statusReason' | 'statusMessage'>) {
  return statusMessage ?? (statusReason === null ? null : (REASONS[statusReason] ?? null));
}

/** Whether it can be cancelled, and changes by itself. */
export function isOpen({ status }: Pick<MeetingInvite, 'status'>): boolean {
  return status === 'pending' || status === 'active';
}

/** Those that go on or come first, the next one on top; then the others, the newest on top. */
export function inOrder(invites: readonly MeetingInvite[]): MeetingInvite[] {
  const time = ({ joinAt, createdAt }: MeetingInvite): number => Date.parse(joinAt ?? createdAt);
  return invites.toSorted((a, b) => {
    if (isOpen(a) !== isOpen(b)) return isOpen(a) ? -1 : 1;
    return isOpen(a) ? time(a) - time(b) : time(b) - time(a);
  });
}
