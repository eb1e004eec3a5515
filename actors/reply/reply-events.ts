import type { BusEvent } from '../kernel/inner-events.ts';
import type { Delivered, DeliveryEvent } from './delivery-actions.ts';
import type { CallEffect } from './tool-call.ts';

/** What the persona's turns send to the current turn. Both kinds, an LLM's reply and a talk stream, accept these. */
export type TurnControl =
  /** The floor is free for the persona, or not. */
  | { readonly type: 'turn.open' }
  | { readonly type: 'turn.shut' }
  /** Stop speaking; it may prove to have been a false alarm. */
  | { readonly type: 'turn.suspend' }
  /** Stop for good. */
  | { readonly type: 'turn.interrupt' }
  /** The user said what the LLM was asked preemptively: continue. */
  | { readonly type: 'turn.confirm'; readonly userText: string; readonly marks: UserMarks | null }
  /** The user said something else. */
  | { readonly type: 'turn.cancel' };

/** When the user's part of a turn happened, for the report. */
export interface UserMarks {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly decidedAt: number;
  readonly transcribedAt: number;
}

/** The voice has finished the turn: the next one may begin. Tools may still run. */
export interface TurnLeft {
  readonly type: 'turn.left';
  readonly effect: CallEffect;
}

export type TurnEvent = BusEvent | TurnControl;
export type DeliveryDone = { readonly type: 'xstate.done.actor.delivery'; readonly output: Delivered };

/** What a control means for the speech of the turn; null: nothing. */
export function deliveryControl(event: TurnControl): DeliveryEvent | null {
  switch (event.type) {
    case 'turn.open':
      return { type: 'delivery.open' };
    case 'turn.shut':
      return { type: 'delivery.shut' };
    case 'turn.suspend':
      return { type: 'delivery.suspend' };
    default:
      return null;
  }
}
