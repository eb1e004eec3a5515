/**
 * The engines of a deployment in Redis, and their places. All keys share the prefix that is given as KEYS[1], with one
 * hash tag, so that all of them are in one slot of a Redis Cluster:
 *
 * - `engine:ID`: hash. Fencing number, region, address, version, places, used places, whether it drains.
 * - `engines`: sorted set, engine → end of its lease in ms of Redis' own clock.
 * - `open`, `open:REGION`: the same, without engines that drain.
 * - `room`, `room:REGION`: sorted set, engine → share of its places that is taken. Only engines with a free place.
 * - `pending:ID`: sorted set, reservation → until when it waits for its session.
 * - `owner:SESSION`: engine and fencing number.
 *
 * Every script that changes a count ranks its engine again. So the best engine is the first of a sorted set, and a
 * decision costs the same for ten engines and for a thousand.
 */

const COMMON = `
local prefix = KEYS[1]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function key(name) return prefix .. name end

local function lists(region)
  return { 'room', 'room:' .. region, 'open', 'open:' .. region }
end

local function forget(id)
  local region = redis.call('HGET', key('engine:' .. id), 'region') or ''
  for _, list in ipairs(lists(region)) do redis.call('ZREM', key(list), id) end
  redis.call('ZREM', key('engines'), id)
  redis.call('DEL', key('engine:' .. id), key('pending:' .. id))
end

local function isAlive(id)
  local lease = redis.call('ZSCORE', key('engines'), id)
  return lease and tonumber(lease) > now
end

local function rank(id)
  local pending = key('pending:' .. id)
  redis.call('ZREMRANGEBYSCORE', pending, '-inf', now)
  local known = redis.call('HMGET', key('engine:' .. id), 'region', 'places', 'used', 'draining')
  local region, places = known[1], tonumber(known[2])
  local taken = tonumber(known[3]) + redis.call('ZCARD', pending)
  if taken < places and known[4] == '0' then
    redis.call('ZADD', key('room'), taken / places, id)
    redis.call('ZADD', key('room:' .. region), taken / places, id)
  else
    redis.call('ZREM', key('room'), id)
    redis.call('ZREM', key('room:' .. region), id)
  end
end
`;

/**
 * ARGV: engine, fencing number ('': it has none), lease in ms, region, address, version, places, used places, draining.
 * Answers the fencing number, or '' when the lease was lost: then another number is needed.
 *
 * The number is the time in µs, so it also grows when Redis has lost everything.
 */
export const RENEW_ENGINE = `${COMMON}
local id, fence, lease, region = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4]
local hash = key('engine:' .. id)
for _, dead in ipairs(redis.call('ZRANGEBYSCORE', key('engines'), '-inf', now, 'LIMIT', 0, 10)) do
  if dead ~= id then forget(dead) end
end
if fence == '' then
  local last = tonumber(redis.call('GET', key('fence')) or '0')
  forget(id)
  fence = string.format('%.0f', math.max(time[1] * 1000000 + time[2], last + 1))
  redis.call('SET', key('fence'), fence)
elseif not isAlive(id) or redis.call('HGET', hash, 'fence') ~= fence then
  return ''
end
redis.call('HSET', hash, 'fence', fence, 'region', region, 'url', ARGV[5], 'version', ARGV[6], 'places', ARGV[7],
  'used', ARGV[8], 'draining', ARGV[9])
redis.call('ZADD', key('engines'), now + lease, id)
for _, list in ipairs({ 'open', 'open:' .. region }) do
  if ARGV[9] == '0' then redis.call('ZADD', key(list), now + lease, id) else redis.call('ZREM', key(list), id) end
end
rank(id)
return fence
`;

/** ARGV: engine, fencing number. The engine is gone at once, unless another process has its name meanwhile. */
export const LEAVE = `${COMMON}
if redis.call('HGET', key('engine:' .. ARGV[1]), 'fence') == ARGV[2] then forget(ARGV[1]) end
return 0
`;

/**
 * ARGV: reservation, ms until it is void, region ('': any), 'strict' or 'preferred', then engines that are not wanted.
 * Answers engine, fencing number and address; or 'full'; or 'none': no engine is there that could ever take it.
 */
export const RESERVE = `${COMMON}
local reservation, waits, region, policy = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4]
local unwanted = {}
for i = 5, #ARGV do unwanted[ARGV[i]] = true end

local function reserveIn(list)
  local position = 0
  while true do
    local id = redis.call('ZRANGE', key(list), position, position)[1]
    if not id then return nil end
    if not isAlive(id) then
      forget(id)
      -- A list that still names an engine of another region is put right.
      redis.call('ZREM', key(list), id)
    elseif unwanted[id] then
      position = position + 1
    else
      local pending = key('pending:' .. id)
      redis.call('ZADD', pending, now + waits, reservation)
      redis.call('PEXPIRE', pending, waits)
      rank(id)
      local known = redis.call('HMGET', key('engine:' .. id), 'fence', 'url')
      return { id, known[1], known[2] }
    end
  end
end

local found = nil
if region ~= '' then found = reserveIn('room:' .. region) end
if not found and policy ~= 'strict' then found = reserveIn('room') end
if found then return found end
local open = key(policy == 'strict' and 'open:' .. region or 'open')
return { redis.call('ZCOUNT', open, '(' .. now, '+inf') > 0 and 'full' or 'none' }
`;

/**
 * ARGV: engine, fencing number, reservation. The engine takes a place that was reserved: only once, and only while the
 * reservation waits. Answers 1, or 0 when it is void.
 */
export const CLAIM = `${COMMON}
local id = ARGV[1]
local hash, pending = key('engine:' .. id), key('pending:' .. id)
if not isAlive(id) or redis.call('HGET', hash, 'fence') ~= ARGV[2] then return 0 end
local waits = redis.call('ZSCORE', pending, ARGV[3])
if not waits or tonumber(waits) <= now then return 0 end
redis.call('ZREM', pending, ARGV[3])
redis.call('HINCRBY', hash, 'used', 1)
rank(id)
return 1
`;

/** ARGV: engine, reservation. It is not needed. */
export const DROP_RESERVATION = `${COMMON}
if redis.call('ZREM', key('pending:' .. ARGV[1]), ARGV[2]) == 1 and isAlive(ARGV[1]) then rank(ARGV[1]) end
return 0
`;

/** ARGV: session. Answers engine and address of its live owner, or nothing. */
export const FIND_OWNER = `${COMMON}
local owner = redis.call('GET', key('owner:' .. ARGV[1]))
if not owner then return {} end
local id, fence = string.match(owner, '^(.*):(%d+)$')
local known = redis.call('HMGET', key('engine:' .. id), 'fence', 'url')
if known[1] ~= fence or not isAlive(id) then return {} end
return { id, known[2] }
`;

/** ARGV: engine. Answers its address while it lives, or nothing. */
export const FIND_ENGINE = `${COMMON}
if not isAlive(ARGV[1]) then return {} end
return { ARGV[1], redis.call('HGET', key('engine:' .. ARGV[1]), 'url') }
`;

/** Answers an engine that lives and its address: one with room if there is one. Or nothing. */
export const ANY_ENGINE = `${COMMON}
for _, list in ipairs({ 'room', 'open' }) do
  for _, id in ipairs(redis.call('ZRANGE', key(list), 0, 9)) do
    if isAlive(id) then return { id, redis.call('HGET', key('engine:' .. id), 'url') } end
  end
end
return {}
`;

/** Answers the places of all engines that live, and how many of them are free. */
export const COUNT_PLACES = `${COMMON}
local places, free = 0, 0
for _, id in ipairs(redis.call('ZRANGEBYSCORE', key('open'), '(' .. now, '+inf')) do
  local known = redis.call('HMGET', key('engine:' .. id), 'places', 'used')
  local taken = tonumber(known[2]) + redis.call('ZCOUNT', key('pending:' .. id), '(' .. now, '+inf')
  places = places + tonumber(known[1])
  free = free + math.max(0, tonumber(known[1]) - taken)
end
return { places, free }
`;
