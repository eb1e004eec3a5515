import pino from 'pino';
import { systemTimers } from '../../runtime/clock.ts';
import { openRedis } from '../store/redis.ts';
import { SlotsInRedis } from '../placement/slots-in-redis.ts';

/** Holds slots in a process of its own, to be killed: `node killable-slots.ts REDIS_URL KEY COUNT`. */
const [url, key, count] = process.argv.slice(2);
const log = pino({ level: 'silent' });
const ledger = new SlotsInRedis(await openRedis(url!, log), { timers: systemTimers, now: Date.now, log });
for (let held = 0; held < Number(count); held += 1) await ledger.take([{ key: key!, limit: null }], null);
process.stdout.write('held\n');
