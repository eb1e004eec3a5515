import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';
import { statesOf } from './machine-list.ts';

/** One thing that a machine does in one of its states. */
export interface MachineRow {
  readonly state: AnyStateNode;
  /** An event's type, `after` a delay, `always`, `entry` or `exit`. */
  readonly on: string;
  /** Empty: in any case. */
  readonly guard: string;
  /** Null: the state stays as it is. */
  readonly target: AnyStateNode | null;
  readonly actions: readonly string[];
}

/** Everything that a machine does, state by state, in the order in which it is tried. */
export function rowsOf(machine: AnyStateMachine): readonly MachineRow[] {
  return statesOf(machine.root).flatMap((state) => [
    ...aloneRow(state, 'entry', state.entry),
    ...(state.always?.map((transition) => rowOf(state, 'always', transition)) ?? []),
    ...state.after.map((transition) => rowOf(state, `after ${String(transition.delay)}`, transition)),
    ...[...state.transitions]
      .filter(([event]) => !event.startsWith('xstate.after.') && event !== '')
      .flatMap(([event, transitions]) => transitions.map((transition) => rowOf(state, event, transition))),
    ...aloneRow(state, 'exit', state.exit),
  ]);
}

function aloneRow(state: AnyStateNode, on: string, actions: AnyStateNode['entry']): readonly MachineRow[] {
  // XState arms and disarms the delays of a state there.
  const own = actions.map(actionName).filter((name) => !name.startsWith('xstate.'));
  return own.length === 0 ? [] : [{ state, on, guard: '', target: null, actions: own }];
}

function rowOf(state: AnyStateNode, on: string, transition: AnyTransitionDefinition): MachineRow {
  const { guard, target, actions } = transition;
  return {
    state,
    on,
    guard: guard === undefined ? '' : guardName(guard),
    target: target?.[0] ?? null,
    actions: actions.map(actionName),
  };
}

/** Guards of a table are names, or XState's `and` and `stateIn` of such. */
function guardName(guard: unknown): string {
  if (typeof guard === 'string') return guard;
  if (typeof guard === 'function') {
    const { guards, stateValue } = guard as { guards?: readonly unknown[]; stateValue?: unknown };
    if (guards !== undefined && guard.name === 'and') return guards.map(guardName).join(' and ');
    if (stateValue !== undefined) return `in ${valuePath(stateValue)}`;
  }
  if (typeof guard === 'object' && guard !== null && 'type' in guard) return String(guard.type);
  throw new Error(`A guard without a name: ${String(guard)}`);
}

function valuePath(value: unknown): string {
  if (typeof value === 'string') return value;
  return Object.entries(value as object)
    .map(([region, inner]) => `${region}.${valuePath(inner)}`)
    .join(' and ');
}

/** With its parameters, as `show(idle)`. */
function actionName(action: unknown): string {
  if (typeof action === 'string') return action;
  const { type, params } = action as { readonly type: string; readonly params?: unknown };
  if (typeof type !== 'string' || typeof params === 'function') throw new Error('An action without a name');
  return params === undefined ? type : `${type}(${leaves(params).join(', ')})`;
}

function leaves(value: unknown, key = ''): readonly string[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, inner]) => leaves(inner, name));
  return [typeof value === 'string' ? value : `${key}: ${String(value)}`];
}
