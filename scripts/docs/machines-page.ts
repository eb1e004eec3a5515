import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { GENERATED } from './generated.ts';
import { ROOT, type ListedMachine } from './machine-list.ts';
import { rowsOf, type MachineRow } from './machine-table.ts';
import { stateDiagram } from './state-diagram.ts';

/** A diagram and the whole table of each machine. */
export function machinesPage(machines: readonly ListedMachine[]): string {
  return [
    '# Machines of a session',
    '',
    GENERATED,
    '',
    'A session is a tree of XState machines ([the map](../../ARCHITECTURE.md)). For each machine, this page has a diagram of its states and a table of all that it does. The rows of a state are tried from the top: the first row whose condition holds counts. The meaning of the names is in the file with the actions. [Events](session-events.md) says what each event means and who sends it.',
    '',
    machines.map(({ name }) => `[${name}](#${anchorOf(name)})`).join(' · '),
    '',
    ...machines.flatMap(section),
  ].join('\n');
}

/** The link to a machine's section. */
export function machineLink(name: string, page = 'machines.md'): string {
  return `[${name}](${page}#${anchorOf(name)})`;
}

function anchorOf(name: string): string {
  return name.replaceAll(' ', '-');
}

function section({ name, path, meaning, machine }: ListedMachine): readonly string[] {
  const actions = path.replace('-machine.ts', '-actions.ts');
  const files = [path, ...(existsSync(join(ROOT, actions)) ? [actions] : [])];
  return [
    `## ${name}`,
    '',
    meaning,
    '',
    `Files: ${files.map((file) => `[${basename(file)}](../../${file})`).join(', ')}`,
    '',
    '```mermaid',
    stateDiagram(machine),
    '```',
    '',
    '| In state | On | If | Goes to | Does |',
    '|---|---|---|---|---|',
    ...rowsOf(machine).map(lineOf),
    '',
  ];
}

function lineOf({ state, on, guard, target, actions }: MachineRow): string {
  const cells = [
    state.path.join('.') || 'any',
    code(on),
    code(guard),
    target === null ? '' : target.path.join('.'),
    actions.map(code).join(', '),
  ];
  return `| ${cells.join(' | ')} |`;
}

function code(text: string): string {
  return text === '' ? '' : `\`${text}\``;
}
