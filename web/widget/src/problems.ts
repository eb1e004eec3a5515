import type { Source } from './options.ts';
import type { ClientError, SessionEnd } from '../../../clients/js/src/index.ts';

/** Why a visitor cannot talk, or not by voice. Each has a sentence in every language. */
export type Problem =
  | 'linkWithdrawn'
  | 'linkExpired'
  | 'linkUsedUp'
  | 'wrongSite'
  | 'personaUnavailable'
  | 'nothingNamed'
  | 'busy'
  | 'tooManyRequests'
  | 'network'
  | 'udpBlocked'
  | 'connectionLost'
  | 'microphoneDenied'
  | 'microphoneNotDelegated'
  | 'microphoneMissing'
  | 'microphoneBusy'
  | 'insecurePage'
  | 'unsupportedBrowser'
  | 'unknown';

/** Calling again cannot help. */
const FINAL: ReadonlySet<Problem> = new Set([
  'linkWithdrawn',
  'linkExpired',
  'linkUsedUp',
  'wrongSite',
  'nothingNamed',
  'insecurePage',
  'unsupportedBrowser',
]);

export function isFinal(problem: Problem): boolean {
  return FINAL.has(problem);
}

/**
 * @param kind what was asked for. @param error the service's `error` text, which does not change.
 */
export function problemOfAnswer(kind: Source['kind'], status: number, error: string): Problem {
  if (status === 410) return 'linkExpired';
  if (status === 404) return kind === 'share' ? 'linkWithdrawn' : 'personaUnavailable';
  if (status === 403) return 'wrongSite';
  if (status === 429) {
    if (error === 'Usage limit reached') return 'linkUsedUp';
    return error === 'Too many requests' ? 'tooManyRequests' : 'busy';
  }
  if (status === 503) return error === 'No engines available' ? 'busy' : 'personaUnavailable';
  return 'unknown';
}

const OF_CODES: Partial<Record<ClientError['code'], Problem>> = {
  usage_limit: 'linkUsedUp',
  forbidden: 'wrongSite',
  not_found: 'linkWithdrawn',
  capacity: 'busy',
  service_busy: 'busy',
  spend_cap: 'busy',
  no_plan: 'personaUnavailable',
  rate_limit: 'tooManyRequests',
  network: 'network',
  udp_blocked: 'udpBlocked',
  connection_lost: 'connectionLost',
  microphone_denied: 'microphoneDenied',
  microphone_not_delegated: 'microphoneNotDelegated',
  microphone_missing: 'microphoneMissing',
  microphone_busy: 'microphoneBusy',
  insecure_page: 'insecurePage',
  unsupported_browser: 'unsupportedBrowser',
};

export function problemOfClient({ code, statusCode }: Pick<ClientError, 'code' | 'statusCode'>): Problem {
  if (statusCode === 410) return 'linkExpired';
  return OF_CODES[code] ?? 'unknown';
}

export type Ending = Problem | 'endedBySilence' | 'endedByLength';

/** Ends that the visitor should understand. The others are ends as conversations have them. */
const ENDINGS: Partial<Record<SessionEnd['reason'], Ending>> = {
  user_inactivity: 'endedBySilence',
  max_session_length: 'endedByLength',
  share_link_withdrawn: 'linkWithdrawn',
  connection_lost: 'connectionLost',
  engine_error: 'unknown',
};

/** @returns null: the conversation ended as conversations do. */
export function endingOf({ reason, error }: SessionEnd): Ending | null {
  return error === null ? (ENDINGS[reason] ?? null) : problemOfClient(error);
}
