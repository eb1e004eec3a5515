import { type ErrorName, ERRORS, HttpError, invalid } from '../errors.ts';
import examples from './examples.json' with { type: 'json' };

/** The parts of an OpenAPI document that get words and examples here. */
interface Described {
  paths?: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, { examples?: unknown[] }> };
}
interface Operation {
  tags?: string[];
  requestBody?: { content?: Record<string, Content> };
  responses?: Record<string, { description?: string; content?: Record<string, Content> }>;
}
interface Content {
  example?: unknown;
}
interface Examples {
  readonly request?: unknown;
  /** The body of the answer that says yes. */
  readonly answer?: unknown;
  /** The body of an answer that says no in a form of its own. */
  readonly refusal?: unknown;
}

/** The likeliest refusal of each status; a tag or a route may have its own. */
const LIKELY: Readonly<Record<string, ErrorName>> = {
  '400': 'validation',
  '401': 'invalidKey',
  '402': 'noPlan',
  '403': 'forbidden',
  '404': 'notFound',
  '409': 'videoNotReady',
  '413': 'payloadTooLarge',
  '422': 'unprocessableImage',
  '429': 'tooManyRequests',
  '500': 'internal',
  '502': 'meetingServiceDown',
  '503': 'noEngines',
  'Meetings 422': 'meetingRejected',
  'Meetings 503': 'meetingsDisabled',
  'Sessions 429': 'concurrentSessions',
  'Avatars 429': 'avatarQueueFull',
  'Avatar videos 429': 'videoQueueFull',
  'POST /talk 429': 'tooManyRequests',
};
const SUCCESSES: Readonly<Record<string, string>> = {
  '200': 'Done.',
  '201': 'Made.',
  '202': 'Accepted; the work goes on.',
  '204': 'Done; nothing to say.',
};

/**
 * Gives every answer of the document a sentence and an example, and every request an example.
 * @param missing by `METHOD /path`, what a route answers to an id that it does not know.
 */
export function describeAnswers<T extends object>(document: T, missing: ReadonlyMap<string, ErrorName>): T {
  const { paths = {}, components } = document as Described;
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const name = `${method.toUpperCase()} ${path}`;
      const { request, answer, refusal } = (examples as Readonly<Record<string, Examples>>)[name] ?? {};
      const asked = operation.requestBody?.content?.['application/json'];
      if (asked !== undefined && request !== undefined) asked.example = request;
      for (const [status, response] of Object.entries(operation.responses ?? {})) {
        const json = response.content?.['application/json'];
        if (status.startsWith('2')) {
          response.description = SUCCESSES[status] ?? 'Done.';
          if (json !== undefined && answer !== undefined) json.example = answer;
        } else {
          const likely =
            (status === '404' ? missing.get(name) : undefined) ??
            LIKELY[`${name} ${status}`] ??
            LIKELY[`${operation.tags?.[0]} ${status}`] ??
            LIKELY[status];
          if (likely === undefined) continue;
          response.description = `${ERRORS[likely][1]}: ${ERRORS[likely][2]}`;
          if (json !== undefined) json.example = refusal ?? refusalExample(likely);
        }
      }
    }
  }
  keepInputExamples(components?.schemas ?? {});
  return document;
}

function refusalExample(name: ErrorName): unknown {
  const error =
    name === 'validation'
      ? invalid([{ path: 'name', message: 'Too big: expected string to have <=255 characters', code: 'too_big' }])
      : new HttpError(name);
  return error.body();
}

/** The examples of our schemas are requests, but zod drops them from requests whose schema changes what it reads. */
function keepInputExamples(schemas: NonNullable<NonNullable<Described['components']>['schemas']>): void {
  for (const [name, schema] of Object.entries(schemas)) {
    const written = schemas[name.replace(/Input$/, '')];
    if (written?.examples !== undefined) schema.examples ??= written.examples;
  }
}
