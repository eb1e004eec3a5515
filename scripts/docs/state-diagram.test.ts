import { describe, expect, it } from 'vitest';
import { createMachine } from 'xstate';
import { listMachines, statesOf } from './machine-list.ts';
import { stateDiagram } from './state-diagram.ts';

const machines = await listMachines();

const LINES = {
  begin: /^ *\[\*\] --> \w+$/u,
  state: /^ *state "\w+" as (\w+)( \{)?$/u,
  close: /^ *\}$/u,
  end: /^ *(\w+) --> \[\*\]$/u,
  // Mermaid ends a statement at `;`, and takes `#`, `{` and `"` for its own.
  edge: /^ {2}(\w+) --> (\w+) : [^;#{}"]+$/u,
};

/** What Mermaid could not read in a diagram. Only what `stateDiagram` writes of its grammar is known here. */
function problems(diagram: string): readonly string[] {
  const [first, ...lines] = diagram.split('\n');
  const found = first === 'stateDiagram-v2' ? [] : ['it does not begin as a state diagram'];
  const declared = new Set<string>();
  let open = 0;
  for (const line of lines) {
    const [, id, opens] = LINES.state.exec(line) ?? [];
    if (id !== undefined) {
      if (declared.has(id)) found.push(`declared twice: ${id}`);
      declared.add(id);
    }
    open += (opens === undefined ? 0 : 1) - (LINES.close.test(line) ? 1 : 0);
    if (open < 0) found.push('closes more than it opened');
    if (!Object.values(LINES).some((pattern) => pattern.test(line))) found.push(`not in the grammar: ${line}`);
    for (const end of (LINES.edge.exec(line) ?? []).slice(1)) if (!declared.has(end)) found.push(`unknown: ${end}`);
  }
  return open === 0 ? found : [...found, 'an open brace'];
}

describe('The state diagram', () => {
  it.each(machines.map(({ name, machine }) => [name, machine] as const))('of %s is Mermaid', (_, machine) => {
    expect(problems(stateDiagram(machine))).toEqual([]);
  });

  it.each(machines.map(({ name, machine }) => [name, machine] as const))('of %s has every state', (_, machine) => {
    const shown = stateDiagram(machine).match(/^ *state "/gmu) ?? [];
    expect(shown).toHaveLength(statesOf(machine.root).length - 1);
  });

  it('shows what leads from a state to another, with its condition', () => {
    const machine = createMachine({
      id: 'door',
      initial: 'shut',
      states: {
        shut: { on: { push: { guard: 'isUnlocked', target: 'wide.open' }, knock: {} } },
        wide: { initial: 'open', states: { open: { on: { pull: '#door.shut' } } } },
      },
    });
    expect(stateDiagram(machine).split('\n')).toEqual([
      'stateDiagram-v2',
      '  [*] --> door_shut',
      '  state "shut" as door_shut',
      '  state "wide" as door_wide {',
      '    [*] --> door_wide_open',
      '    state "open" as door_wide_open',
      '  }',
      '  door_shut --> door_wide_open : push [isUnlocked]',
      '  door_wide_open --> door_shut : pull',
    ]);
  });

  it('would be refused with a brace too many, a state that is not there, or a label that Mermaid takes apart', () => {
    const good = 'stateDiagram-v2\n  state "a" as a\n  state "b" as b\n';
    expect(problems(`${good}  a --> b : go`)).toEqual([]);
    expect(problems(`${good}  state "c" as c {`)).toEqual(['an open brace']);
    expect(problems(`${good}  a --> x : go`)).toEqual(['unknown: x']);
    expect(problems(`${good}  a --> b : go; stop`)).toEqual(['not in the grammar:   a --> b : go; stop']);
  });
});
