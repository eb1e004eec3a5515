import multipart from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { z } from 'zod';
import type { App } from './app.ts';
import { HttpError, invalid } from '../errors/http-error.ts';
import { detailsOf } from './validation-details.ts';

export interface FormFile<Content> {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Content;
}

/** What becomes of a form's file as it arrives. It reads the whole stream, which ends early beyond the limit. */
type TakeFile<Content> = (file: Readable) => Promise<Content>;

/**
 * Gives a file on piece by piece, with a turn of the event loop after each: sixteen files of 4.5 MB that came at once held the
 * thread of the media for 104 ms, and 50 so.
 */
function paced(file: Readable): Readable {
  async function* inTurns(): AsyncGenerator<Buffer> {
    for await (const piece of file) {
      yield piece as Buffer;
      await setImmediate();
    }
  }
  return Readable.from(inTurns(), { objectMode: false });
}

/** Holds the file in memory: for files of a few MB. */
export const inMemory: TakeFile<Buffer> = async (file) => Buffer.concat(await file.toArray());

/** How many form fields may accompany a file, and the longest text among them. */
const FORM_LIMITS = { fields: 20, fieldSize: 65_536, files: 1, headerPairs: 100, parts: 30 };

/** Adds routes that take forms. Other routes avoid the work that the form reader adds to every request. */
export function withForms(app: App, addRoutes: (forms: App) => void): void {
  void app.register(async (forms) => {
    await forms.register(multipart, { limits: FORM_LIMITS, throwFileSizeLimit: true });
    addRoutes(forms as unknown as App);
  });
}

/**
 * Reads a multipart form with at most one file.
 * @param options.largest of the file, in bytes. @param options.take what becomes of the file; the caller removes what it
 * left if this throws. @throws HttpError 400 for the fields, 413 for the file.
 */
export async function readForm<T extends z.ZodType, Content>(
  request: FastifyRequest,
  options: { file: string; largest: number; fields: T; take: TakeFile<Content> },
): Promise<{ fields: z.output<T>; file: FormFile<Content> | null }> {
  const texts: Record<string, string> = {};
  let file: FormFile<Content> | null = null;
  try {
    for await (const part of request.parts({ limits: { fileSize: options.largest, files: 1 } })) {
      if (part.type === 'field') {
        if (typeof part.value === 'string') texts[part.fieldname] = part.value;
      } else if (part.fieldname === options.file) {
        file = { filename: part.filename, contentType: part.mimetype, content: await options.take(paced(part.file)) };
      } else {
        part.file.resume();
      }
    }
  } catch (error) {
    throw formError(error);
  }
  if (Object.values(texts).some((text) => text.includes('\0')))
    throw new HttpError('invalidBody', { message: 'The form contains U+0000.' });
  const fields = options.fields.safeParse(texts);
  if (!fields.success) throw invalid(detailsOf(fields.error));
  return { fields: fields.data, file };
}

function formError(error: unknown): unknown {
  const { statusCode, code, message } = error as { statusCode?: number; code?: string; message?: string };
  if (code === 'FST_REQ_FILE_TOO_LARGE' || code === 'FST_FILES_LIMIT' || statusCode === 413)
    return new HttpError('payloadTooLarge');
  if (error instanceof HttpError) return error;
  return new HttpError('invalidBody', { message: `The form could not be read: ${String(message).slice(0, 200)}` });
}
