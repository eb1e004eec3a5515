import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseSync } from '@swc/core';
import { ROOT, sourcesBelow, type ListedMachine } from './machine-list.ts';

type Syntax = Readonly<Record<string, unknown>>;

/** Which files of the engine make an event of these types. */
export function engineSenders(types: ReadonlySet<string>): ReadonlyMap<string, readonly string[]> {
  const senders = new Map<string, string[]>();
  for (const path of sourcesBelow('engine')) {
    const source = readFileSync(join(ROOT, path), 'utf8');
    if (![...types].some((type) => source.includes(`'${type}'`))) continue;
    const made = new Set(nodesOf(parse(source)).flatMap(literalTypes));
    for (const type of made) if (types.has(type)) senders.set(type, [...(senders.get(type) ?? []), path]);
  }
  return senders;
}

/**
 * Which machines tell all actors an event, by the machine's name: what `tell` and `tells` are called with in the
 * machine's file and in those that it imports, as far as the next machine. @throws for a call that does not show its
 * type.
 */
export function actorSenders(machines: readonly ListedMachine[]): ReadonlyMap<string, readonly string[]> {
  const senders = new Map<string, string[]>();
  for (const { name, path } of machines) {
    const told = new Set(filesOf(path).flatMap(typesTold));
    for (const type of told) senders.set(type, [...(senders.get(type) ?? []), name]);
  }
  return senders;
}

function typesTold(path: string): readonly string[] {
  return nodesOf(parse(readFileSync(join(ROOT, path), 'utf8')))
    .filter((node) => node['type'] === 'CallExpression' && isTell(node['callee'] as Syntax))
    .flatMap((call) => {
      const [argument] = call['arguments'] as readonly { readonly expression: Syntax }[];
      const types = argument === undefined ? [] : literalTypes(argument.expression);
      if (types.length === 0) throw new Error(`${path} tells an event without saying its type`);
      return types;
    });
}

/** `tells(…)`, `env.tell(…)`, `context.env.tell(…)` */
function isTell(callee: Syntax): boolean {
  if (callee['type'] === 'Identifier') return callee['value'] === 'tells';
  return callee['type'] === 'MemberExpression' && (callee['property'] as Syntax)['value'] === 'tell';
}

/** The machine's file and what it imports for more than its types, without other machines and without the kernel. */
function filesOf(start: string): readonly string[] {
  const files = [start];
  for (const path of files) {
    for (const { source, typeOnly, specifiers } of importsOf(path)) {
      if (!source.startsWith('.') || typeOnly) continue;
      if (specifiers.length > 0 && specifiers.every((specifier) => specifier.isTypeOnly === true)) continue;
      const imported = normalize(join(dirname(path), source));
      const isOther = imported.endsWith('-machine.ts') || imported.startsWith('actors/kernel/');
      if (!isOther && !files.includes(imported) && existsSync(join(ROOT, imported))) files.push(imported);
    }
  }
  return files;
}

function importsOf(path: string) {
  return (parse(readFileSync(join(ROOT, path), 'utf8'))['body'] as readonly Syntax[])
    .filter((node) => node['type'] === 'ImportDeclaration')
    .map((node) => ({
      source: String((node['source'] as Syntax)['value']),
      typeOnly: node['typeOnly'] === true,
      specifiers: node['specifiers'] as readonly { readonly isTypeOnly?: boolean }[],
    }));
}

/** What an object literal has as its `type`: one text, or two to choose from. */
function literalTypes(node: Syntax): readonly string[] {
  if (node['type'] !== 'ObjectExpression') return [];
  const property = (node['properties'] as readonly Syntax[]).find(
    (candidate) => candidate['type'] === 'KeyValueProperty' && (candidate['key'] as Syntax)['value'] === 'type',
  );
  return property === undefined ? [] : texts(property['value'] as Syntax);
}

function texts(value: Syntax): readonly string[] {
  if (value['type'] === 'StringLiteral') return [String(value['value'])];
  if (value['type'] !== 'ConditionalExpression') return [];
  return [...texts(value['consequent'] as Syntax), ...texts(value['alternate'] as Syntax)];
}

function parse(source: string): Syntax {
  return parseSync(source, { syntax: 'typescript' }) as unknown as Syntax;
}

function nodesOf(value: unknown): readonly Syntax[] {
  if (Array.isArray(value)) return value.flatMap(nodesOf);
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.values(value).flatMap(nodesOf);
  return 'type' in value ? [value as Syntax, ...below] : below;
}
