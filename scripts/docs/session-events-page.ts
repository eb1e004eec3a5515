import { basename } from 'node:path';
import { eventClass } from '../../actors/kernel/event-class.ts';
import type { SessionEventType } from '../../actors/events.ts';
import { readCatalogue, type CataloguedEvent } from './event-catalogue.ts';
import { actorSenders, engineSenders } from './event-senders.ts';
import type { ListedMachine } from './machine-list.ts';
import { GENERATED } from './generated.ts';
import { machineLink } from './machines-page.ts';

/** One row of the tables. */
export interface EventRow extends CataloguedEvent {
  /** What an interruption does to it while it waits; empty for what the actors tell each other, which never waits. */
  readonly class: string;
  /** Files of the engine, or names of machines. */
  readonly senders: readonly string[];
  /** Names of machines. */
  readonly handlers: readonly string[];
}

export interface EventRows {
  readonly outer: readonly EventRow[];
  readonly inner: readonly EventRow[];
}

/** Everything that is told on the bus, from the sources: meanings from the catalogues, handlers from the machines. */
export function eventRows(machines: readonly ListedMachine[]): EventRows {
  const handlers = (type: string): readonly string[] =>
    machines.filter(({ machine }) => machine.events.includes(type)).map(({ name }) => name);
  const outer = readCatalogue('actors/events.ts', 'SessionEvent');
  const inner = readCatalogue('actors/kernel/inner-events.ts', 'InnerEvent');
  const engine = engineSenders(new Set(outer.map(({ type }) => type)));
  const actors = actorSenders(machines);
  return {
    outer: outer.map((event) => ({
      ...event,
      class: eventClass(event.type as SessionEventType),
      senders: engine.get(event.type) ?? [],
      handlers: handlers(event.type),
    })),
    inner: inner.map((event) => ({
      ...event,
      class: '',
      senders: actors.get(event.type) ?? [],
      handlers: handlers(event.type),
    })),
  };
}

export function sessionEventsPage({ outer, inner }: EventRows): string {
  return [
    '# Events of a session',
    '',
    GENERATED,
    '',
    'All actors of a session hear all events, from one bus ([the bus](../../ARCHITECTURE.md#the-bus)). An actor handles those that are in the table of its machine ([machines](machines.md)).',
    '',
    '## From the engine',
    '',
    'These events come from outside of the tree. The class says what happens to an event while it waits: `system` goes before all others, an interruption drops `speech`, and `keep` is always delivered in its turn.',
    '',
    '| Event | Class | Sent by | Handled by | Meaning |',
    '|---|---|---|---|---|',
    ...outer.map((row) =>
      line([`\`${row.type}\``, row.class, row.senders.map(fileLink).join(', '), handledBy(row), row.meaning]),
    ),
    '',
    '## Between the actors',
    '',
    'The actors tell each other these events. They have no class: each is delivered before the next event from the engine.',
    '',
    '| Event | Sent by | Handled by | Meaning |',
    '|---|---|---|---|',
    ...inner.map((row) =>
      line([`\`${row.type}\``, row.senders.map((name) => machineLink(name)).join(', '), handledBy(row), row.meaning]),
    ),
    '',
  ].join('\n');
}

function handledBy({ handlers }: EventRow): string {
  return handlers.length === 0 ? 'nobody' : handlers.map((name) => machineLink(name)).join(', ');
}

function fileLink(path: string): string {
  return `[${basename(path)}](../../${path})`;
}

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
