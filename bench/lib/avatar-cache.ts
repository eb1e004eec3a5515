import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Kept between runs: drawing an avatar and its idle loops takes seconds, and would be measured along. */
export const AVATAR_CACHE = join(tmpdir(), 'parley-bench-avatars');
