import { configureGlobal, readConfigureGlobal } from 'fast-check';

/**
 * An ordinary run draws the same random values each time: the same code gives the same result. A nightly run draws new
 * ones, and prints the seed of a failure. Without this, one run in fifty failed for a story that a test itself told
 * wrongly, in a commit that had nothing to do with it.
 */
const SEED = 20_261_129;

if (process.env['PARLEY_TEST_NIGHTLY'] !== 'on') configureGlobal({ ...readConfigureGlobal(), seed: SEED });
