import type { BusEvent } from '../kernel/inner-events.ts';
import type { Delivered, DeliveryEvent } from './delivery-actions.ts';
import type { CallEffect } from './tool-call.ts';

/** What the persona's turns send to the current turn: a reply of the LLM or a talk stream. */
export type TurnControl =
  /** The floor is free for the persona, or not. */
  | { readonly type: 'turn.open' }
  /** `by`: the user speaks, or seems to; or the client is not there. */
  | { readonly type: 'turn.shut'; readonly by: 'user' | 'connection' }
  /** Stop speaking for now: it may be a false interruption. */
  | { readonly type: 'turn.suspend' }
  /** Stop for good. */
  | { readonly type: 'turn.interrupt' }
  /** The turn has the words for which the reply was generated preemptively. */
  | { readonly type: 'turn.confirm'; readonly userText: string; readonly marks: UserMarks | null }
  /** The turn has other words. */
  | { readonly type: 'turn.cancel' };

/** When the user's part of a turn happened, for the report. */
export interface UserMarks {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly decidedAt: number;
  readonly transcribedAt: number;
}

/** The turn's speech has ended, so the next turn may begin. Tools may still run. */
export interface TurnLeft {
  readonly type: 'turn.left';
  /** What its system tools require now, if the user has not spoken. */
  readonly effect: CallEffect;
  readonly interrupted: boolean;
}

export type TurnEvent = BusEvent | TurnControl;
export type DeliveryDone = { readonly type: 'xstate.done.actor.delivery'; readonly output: Delivered };

/** What a control event means for the delivery of the turn. Null: nothing. */
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
