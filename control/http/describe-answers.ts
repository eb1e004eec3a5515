import { ERRORS, HttpError, invalid, type Refusal } from '../errors/http-error.ts';
import type { RouteExamples } from './resource.ts';

/** The parts of an OpenAPI document that get descriptions and examples here. */
interface Described {
  paths?: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, { examples?: unknown[] }> };
}
interface Operation {
  requestBody?: { content?: Record<string, Content> };
  responses?: Record<string, { description?: string; content?: Record<string, Content> }>;
}
interface Content {
  example?: unknown;
}

/** What is known of a route in addition to its schemas. */
export interface RouteNotes extends RouteExamples {
  /** What it answers to an unknown id in its path. */
  readonly missing?: Refusal | undefined;
}

/** The most likely refusal for each status, if a route names none. */
const LIKELY: readonly Refusal[] = [
  ERRORS.validation,
  ERRORS.invalidKey,
  ERRORS.forbidden,
  ERRORS.notFound,
  ERRORS.payloadTooLarge,
  ERRORS.upgradeRequired,
  ERRORS.tooManyRequests,
  ERRORS.internal,
];
const SUCCESSES: Readonly<Record<string, string>> = {
  '101': 'The WebSocket is open.',
  '200': 'Done.',
  '201': 'Made.',
  '202': 'Accepted; the work goes on.',
  '204': 'Done; nothing to say.',
};

/**
 * Gives every answer of the document a sentence and an example, and every request an example.
 * @param notes of each route, by `METHOD /path`. @throws Error for a status without a named refusal.
 */
export function describeAnswers<T extends object>(document: T, notes: ReadonlyMap<string, RouteNotes>): T {
  const { paths = {}, components } = document as Described;
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const name = `${method.toUpperCase()} ${path}`;
      describeOperation(operation, name, notes.get(name) ?? {});
    }
  }
  keepInputExamples(components?.schemas ?? {});
  return document;
}

function describeOperation(operation: Operation, name: string, notes: RouteNotes): void {
  const asked = operation.requestBody?.content?.['application/json'];
  if (asked !== undefined) {
    // Every body has a limit. The form of the answer is that of any other refusal.
    const { responses = {} } = operation;
    const refusal = Object.entries(responses).find(([status]) => status.startsWith('4'));
    if (refusal !== undefined) responses['413'] ??= structuredClone(refusal[1]);
  }
  if (asked !== undefined && notes.request !== undefined) asked.example = notes.request;
  for (const [status, response] of Object.entries(operation.responses ?? {})) {
    const json = response.content?.['application/json'];
    if (status.startsWith('2') || status === '101') {
      response.description = SUCCESSES[status] ?? 'Done.';
      if (json !== undefined && notes.answer !== undefined) json.example = notes.answer;
    } else {
      const { description, body } = notes.otherAnswers?.[Number(status)] ?? refusalAt(Number(status), name, notes);
      response.description = description;
      if (json !== undefined) json.example = body;
    }
  }
}

/** The most likely refusal of a route with this status. */
function refusalAt(status: number, name: string, { missing, refusals = [] }: RouteNotes) {
  const named = status === 404 && missing !== undefined ? [missing] : refusals;
  const refusal = [...named, ...LIKELY].find(([refused]) => refused === status);
  if (refusal === undefined) throw new Error(`${name} names no refusal for its answer ${status}`);
  const error =
    refusal === ERRORS.validation
      ? invalid([{ path: 'name', message: 'Too big: expected string to have <=255 characters', code: 'too_big' }])
      : new HttpError(refusal);
  return { description: `${refusal[1]}: ${refusal[2]}`, body: error.body() };
}

/** The examples of our schemas are requests. zod drops them from requests whose schema transforms its input. */
function keepInputExamples(schemas: NonNullable<NonNullable<Described['components']>['schemas']>): void {
  for (const [name, schema] of Object.entries(schemas)) {
    const written = schemas[name.replace(/Input$/, '')];
    if (written?.examples !== undefined) schema.examples ??= written.examples;
  }
}
