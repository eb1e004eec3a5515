import type { EngineStatus, FromEngineOfPort, ToEngineOfPort } from '../../../engine/index.ts';
import type { AnswerMessage, CallMessage } from '../../../runtime/remote-calls.ts';
import type { SlotShare } from '../slot-ledger.ts';

/** What an engine process is on its machine. */
export interface EngineBeginning {
  /** 1 for the first, which also does what needs to be done once: it draws faces ahead. */
  readonly number: number;
  /** How many there are. */
  readonly engines: number;
  /** The public ports, which the supervisor has. */
  readonly udpPort: number;
  /** Null: none. */
  readonly tcpPort: number | null;
}

/** Of an engine, a few times a second at most. */
export interface EngineState {
  readonly status: EngineStatus;
  readonly faces: { readonly drawing: boolean; readonly drawn: number; readonly total: number };
  /** Why personas cannot go into meetings there; null: they can. */
  readonly meetingsUnavailable: string | null;
}

/** What is added to the journal of a session. `state` replaces what was there. */
export interface JournalAddition {
  readonly sessionId: string;
  readonly entries: readonly string[];
  readonly state: string | null;
}

/** From the supervisor to an engine process. */
export type ToEngine =
  | { readonly kind: 'begin'; readonly beginning: EngineBeginning }
  | { readonly kind: 'stop' }
  | CallMessage
  | AnswerMessage
  | ToEngineOfPort;

/** From an engine process to the supervisor. */
export type FromEngine =
  | { readonly kind: 'ready' }
  /** It ends, because the operator has to solve this first. */
  | { readonly kind: 'unable'; readonly problem: string }
  | { readonly kind: 'state'; readonly state: EngineState }
  | { readonly kind: 'slot.adopt'; readonly shares: readonly SlotShare[]; readonly slot: string }
  /** It does not hold this slot any more. */
  | { readonly kind: 'slot.drop'; readonly slot: string }
  | { readonly kind: 'journal'; readonly addition: JournalAddition }
  /** Nothing is left of the session. */
  | { readonly kind: 'journal.close'; readonly sessionId: string }
  | CallMessage
  | AnswerMessage
  | FromEngineOfPort;
