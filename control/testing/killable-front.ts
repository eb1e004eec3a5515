import { openTestNode } from './nodes.ts';

/** A node with the API and without an engine, to be killed: `node killable-front.ts REDIS_URL DATABASE_URL`. */
const [redisUrl = '', databaseUrl = ''] = process.argv.slice(2);
const settings = { PARLEY_ROLE: 'control' };
const { service, url } = await openTestNode({ id: 'killed', redisUrl, databaseUrl, places: 0, settings });
process.stdout.write(`${JSON.stringify({ url, key: service.key })}\n`);
