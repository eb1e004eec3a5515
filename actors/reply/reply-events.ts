import type { BusEvent } from '../kernel/inner-events.ts';
import type { Delivered, DeliveryEvent } from './delivery-actions.ts';
import type { CallEffect } from './tool-call.ts';

/**
 * What the persona's turns tell the turn that is going on. Both kinds, an LLM's reply and a talk stream, take these.
 */
export type TurnControl =
  /** The floor is free for the persona, or not. */
  | { readonly type: 'turn.open' }
  | { readonly type: 'turn.shut' }
  /** Stop speaking; it may prove to have been for nothing. */
  | { readonly type: 'turn.suspend' }
  /** Stop for good. */
  | { readonly type: 'turn.interrupt' }
  /** What was asked preemptively is what the user said: go on. */
  | { readonly type: 'turn.confirm'; readonly userText: string; readonly marks: UserMarks | null }
  /** It was not. */
  | { readonly type: 'turn.cancel' };

/** When the user's part of a turn happened, for the report. */
export interface UserMarks {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly decidedAt: number;
  readonly transcribedAt: number;
}

/** The turn's voice is done: the next one may begin. Tools may still run. */
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
