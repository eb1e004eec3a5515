import { z } from 'zod';

/** A path inside of a package's folder: names and slashes only. */
export const insidePath = z
  .string()
  .max(256)
  .regex(/^[\w-][\w.+-]*(\/[\w-][\w.+-]*)*$/, 'must be a relative path of plain names');
