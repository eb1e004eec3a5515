import type { AnyStateMachine, AnyStateNode } from 'xstate';
import { rowsOf, type MachineRow } from './machine-table.ts';

/**
 * A machine as a Mermaid `stateDiagram-v2`: its states and what leads from one to another. Transitions of a state to
 * one inside of it are left out, which Mermaid cannot draw, and so are those that change no state; the table has them.
 */
export function stateDiagram(machine: AnyStateMachine): string {
  const edges = new Map<string, Set<string>>();
  for (const row of rowsOf(machine)) {
    if (row.target === null || isInside(row.target, row.state)) continue;
    const ends = `${idOf(row.state)} --> ${idOf(row.target)}`;
    edges.set(ends, (edges.get(ends) ?? new Set()).add(labelOf(row)));
  }
  return [
    'stateDiagram-v2',
    ...inside(machine.root, 1),
    ...[...edges].map(([ends, labels]) => `  ${ends} : ${[...labels].join('<br/>')}`),
  ].join('\n');
}

function inside(node: AnyStateNode, depth: number): readonly string[] {
  const indent = '  '.repeat(depth);
  const states = Object.values(node.states);
  const begin = node.type === 'compound' ? [`${indent}[*] --> ${idOf(node.initial.target[0] as AnyStateNode)}`] : [];
  return [
    ...begin,
    ...states.flatMap((state) => {
      const name = `${indent}state "${state.key}" as ${idOf(state)}`;
      if (Object.keys(state.states).length > 0) return [`${name} {`, ...inside(state, depth + 1), `${indent}}`];
      return state.type === 'final' ? [name, `${indent}${idOf(state)} --> [*]`] : [name];
    }),
  ];
}

function labelOf({ on, guard }: MachineRow): string {
  if (on === 'always') return guard === '' ? 'else' : `[${guard}]`;
  return guard === '' ? on : `${on} [${guard}]`;
}

/** Whether a state is another one or lies in it. */
function isInside(state: AnyStateNode, other: AnyStateNode): boolean {
  return other.path.every((key, depth) => state.path[depth] === key);
}

function idOf(node: AnyStateNode): string {
  return [node.machine.id, ...node.path].join('_');
}
