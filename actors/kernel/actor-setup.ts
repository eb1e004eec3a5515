import { setup, type EventObject, type MachineContext, type NonReducibleUnknown, type UnknownActorLogic } from 'xstate';
import type { SessionCommand } from '../commands.ts';
import type { SessionEnvironment } from './environment.ts';
import type { BusEvent, InnerEvent } from './inner-events.ts';

/** What every actor knows: its session. */
export interface ActorContext {
  readonly env: SessionEnvironment;
}

/** What an actor is started with, if nothing else is said. */
export type ActorInput = ActorContext;

/** No actors of its own, in XState's words. */
type None = Record<never, UnknownActorLogic>;

/**
 * What all machines of a session begin with: the events of the bus, and the action `join`, with which an actor takes
 * its seat there. Guards, actions and delays are added by `.extend()`.
 *
 * @param types the machine's context, its events beside those of the bus, its input (left out: the environment) and
 * output
 * @param actors the machines that it starts, by name
 */
export function actorSetup<
  TContext extends MachineContext & ActorContext,
  TOwnEvent extends EventObject = never,
  TInput = ActorInput,
  TOutput extends NonReducibleUnknown = NonReducibleUnknown,
  TActors extends Record<string, UnknownActorLogic> = None,
>({
  actors,
}: {
  readonly types: { context: TContext; events?: TOwnEvent; input?: TInput; output?: TOutput };
  readonly actors?: TActors;
}) {
  return setup({
    types: {} as { context: TContext; events: BusEvent | TOwnEvent; input: TInput; output: TOutput },
    actors: actors as TActors,
    actions: {
      join: ({ context, self }) => context.env.join(self),
    },
  });
}

/**
 * An action that tells all actors this. (Not in one `.extend()` with both `enqueueActions` and an action that takes
 * parameters: TypeScript then takes the parameters for unknown. There it is written out.)
 */
export function tells(event: InnerEvent) {
  return ({ context }: { readonly context: ActorContext }): void => context.env.tell(event);
}

/** An action that asks the engine for this. As with `tells`. */
export function performs(command: SessionCommand) {
  return ({ context }: { readonly context: ActorContext }): void => context.env.perform(command);
}
