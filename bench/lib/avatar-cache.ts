import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Kept between runs: otherwise the drawing of an avatar and its idle loops would be measured. */
export const AVATAR_CACHE = join(tmpdir(), 'parley-bench-avatars');
