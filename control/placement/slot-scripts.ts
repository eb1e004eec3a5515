/**
 * The counts of sessions in Redis. A share is a sorted set: its members are slots, and their scores say until when the
 * process that holds a slot has it, in ms of Redis' own clock. So the clocks of the processes do not matter, and the
 * slots of a process that is gone become free by themselves.
 */

/**
 * KEYS: the shares, then the starts of the token if there is one.
 * ARGV: slot ('' only looks), lease in ms, most starts, ms until the token is over, then the room of each share (-1: any).
 * Answers 0, or the number of the first full share, or -1 when the token has started all its sessions.
 */
export const TAKE = `
local slot, lease, most, tokenLife = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local shares = #ARGV - 4
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local starts = KEYS[shares + 1]
if starts and tonumber(redis.call('GET', starts) or '0') >= most then return -1 end
for i = 1, shares do
  redis.call('ZREMRANGEBYSCORE', KEYS[i], '-inf', now)
  local room = tonumber(ARGV[4 + i])
  if room >= 0 and redis.call('ZCARD', KEYS[i]) >= room then return i end
end
if slot == '' then return 0 end
for i = 1, shares do
  redis.call('ZADD', KEYS[i], now + lease, slot)
  redis.call('PEXPIRE', KEYS[i], lease)
end
if starts and redis.call('INCR', starts) == 1 then redis.call('PEXPIRE', starts, tokenLife) end
return 0
`;

/**
 * KEYS: shares. ARGV: lease in ms, then pairs of a slot and the number of its share. It also brings back what Redis
 * has lost.
 */
export const RENEW = `
local lease = tonumber(ARGV[1])
local time = redis.call('TIME')
local untilWhen = time[1] * 1000 + math.floor(time[2] / 1000) + lease
for i = 2, #ARGV, 2 do
  local key = KEYS[tonumber(ARGV[i + 1])]
  redis.call('ZADD', key, untilWhen, ARGV[i])
  redis.call('PEXPIRE', key, lease)
end
return 0
`;

/** KEYS: a share. Answers how many of its slots are taken. */
export const COUNT = `
local time = redis.call('TIME')
return redis.call('ZCOUNT', KEYS[1], '(' .. (time[1] * 1000 + math.floor(time[2] / 1000)), '+inf')
`;
