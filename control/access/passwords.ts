import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import PQueue from 'p-queue';
import { HttpError } from '../errors/http-error.ts';

/** Characters, as NIST SP 800-63B asks at least 8 and recommends more; length is worth more than rules about signs. */
export const MIN_PASSWORD_CHARACTERS = 12;
/** Bytes of UTF-8. Nobody types more, and hashing must not be given a megabyte. */
export const MAX_PASSWORD_BYTES = 1024;

interface Cost {
  /** Binary logarithm of N. */
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/**
 * scrypt by OWASP's Password Storage Cheat Sheet: its N=2^15, r=8, p=3 is as strong as its N=2^17, r=8, p=1, and takes
 * 32 MiB instead of 128. Each hash says its own cost, so this may rise.
 */
const COST: Cost = { ln: 15, r: 8, p: 3 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** How many may wait for their turn: a few seconds. */
const MAX_WAITING = 16;

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);

/** @returns `$scrypt$ln=…,r=…,p=…$salt$hash`, the form of the PHC string format. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return phcText(COST, salt, await derived(password, salt, COST, HASH_BYTES));
}

/** @param hash null: there is none, which takes as long as a wrong password. */
export async function passwordFits(password: string, hash: string | null): Promise<boolean> {
  const { cost, salt, expected } = parsed(hash ?? NOBODYS_HASH);
  const given = await derived(password, salt, cost, expected.length);
  return timingSafeEqual(given, expected) && hash !== null;
}

/** Of no password. */
const NOBODYS_HASH = phcText(COST, randomBytes(SALT_BYTES), Buffer.alloc(HASH_BYTES));

/**
 * Passwords are checked and hashed one at a time: each holds one of the few threads of the process's pool for a tenth of a
 * second or more, and the same process may pace media.
 */
export class PasswordQueue {
  readonly #queue = new PQueue({ concurrency: 1 });

  /** @throws HttpError 429 when too many wait already, and what the work throws. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#queue.size >= MAX_WAITING)
      throw new HttpError('tooManyRequests', {
        message: 'Many are signing in at this moment. Try again in a few seconds.',
        headers: { 'retry-after': '5' },
      });
    return this.#queue.add(work);
  }
}

/** One text typed on two keyboards may differ in bytes: NIST SP 800-63B asks for one form. */
function derived(password: string, salt: Buffer, { ln, r, p }: Cost, length: number): Promise<Buffer> {
  const N = 2 ** ln;
  // What scrypt needs, and a little for itself.
  const maxmem = 128 * r * (N + p) + 1024 * 1024;
  return derive(password.normalize('NFKC'), salt, length, { N, r, p, maxmem });
}

function phcText({ ln, r, p }: Cost, salt: Buffer, hash: Buffer): string {
  return ['', 'scrypt', `ln=${ln},r=${r},p=${p}`, base64(salt), base64(hash)].join('$');
}

const PHC = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

function parsed(text: string): { readonly cost: Cost; readonly salt: Buffer; readonly expected: Buffer } {
  const [, ln, r, p, salt, hash] = PHC.exec(text) ?? [];
  if (salt === undefined || hash === undefined) throw new Error('A stored password hash cannot be read');
  return {
    cost: { ln: Number(ln), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64'),
    expected: Buffer.from(hash, 'base64'),
  };
}

/** Without padding, as the format asks. */
function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
