import { MOVE_WITHIN_MS } from './lease.ts';
import { SCRIPT_HEADER } from './script-header.ts';

/**
 * The engines of a deployment in Redis, and their places:
 *
 * - `engine:ID`: hash. Fencing number, region, address, version, places, used places, whether it drains.
 * - `engines`: sorted set, engine → end of its lease in ms of Redis' own clock.
 * - `open`, `open:REGION`: the same, without engines that drain.
 * - `room`, `room:REGION`: sorted set, engine → share of its places that is taken. Only engines with a free place.
 * - `pending:ID`: sorted set, reservation → until when it waits for its session.
 * - `owner:SESSION`: engine and fencing number.
 *
 * Sessions with a journal, and their keys, are in `journal-scripts.ts`.
 *
 * An engine whose lease has ended gets no session, and its reservations and owners count for nothing. It is forgotten only
 * when another node has asked it and got no answer (`move-scripts.ts`). Until then it simply renews its lease.
 *
 * Every script that changes a count ranks its engine again. So the best engine is the first of a sorted set, and a
 * decision costs the same for ten engines and for a thousand.
 */

export const ENGINES = `
local function lists(region)
  return { 'room', 'room:' .. region, 'open', 'open:' .. region }
end

local function unlist(id)
  local region = redis.call('HGET', key('engine:' .. id), 'region') or ''
  for _, list in ipairs(lists(region)) do redis.call('ZREM', key(list), id) end
end

-- Whoever wants may go on with its sessions. Those that nobody took yet are still its own, if it lives after all.
local function forget(id)
  unlist(id)
  redis.call('ZREM', key('engines'), id)
  for _, session in ipairs(redis.call('SMEMBERS', key('sessions:' .. id))) do
    if redis.call('HGET', key('session:' .. session), 'engine') == id then
      redis.call('ZADD', key('moving'), now + ${MOVE_WITHIN_MS}, session)
    end
  end
  redis.call('DEL', key('engine:' .. id), key('pending:' .. id), key('sessions:' .. id), key('coming:' .. id))
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

-- Keeps a place on the engine with the smallest share of its places taken. Answers the engine, or nil.
local function reserveIn(list, reservation, waits, unwanted)
  local position = 0
  while true do
    local id = redis.call('ZRANGE', key(list), position, position)[1]
    if not id then return nil end
    if not isAlive(id) then
      unlist(id)
      -- A list that still names an engine of another region is put right.
      redis.call('ZREM', key(list), id)
    elseif unwanted[id] then
      position = position + 1
    else
      local pending = key('pending:' .. id)
      redis.call('ZADD', pending, now + waits, reservation)
      redis.call('PEXPIRE', pending, math.max(waits, redis.call('PTTL', pending)))
      rank(id)
      return id
    end
  end
end
`;
const COMMON = SCRIPT_HEADER + ENGINES;

/**
 * ARGV: engine, fencing number ('': it has none), lease in ms, region, address, version, places, used places, draining.
 * Answers the fencing number, or '' when the engine was forgotten: then another number is needed.
 */
export const RENEW_ENGINE = `${COMMON}
local id, fence, lease, region = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4]
local hash = key('engine:' .. id)
if fence == '' then
  forget(id)
  fence = nextFence()
elseif redis.call('HGET', hash, 'fence') ~= fence then
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

local found = nil
if region ~= '' then found = reserveIn('room:' .. region, reservation, waits, unwanted) end
if not found and policy ~= 'strict' then found = reserveIn('room', reservation, waits, unwanted) end
if found then
  local known = redis.call('HMGET', key('engine:' .. found), 'fence', 'url')
  return { found, known[1], known[2] }
end
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

/**
 * ARGV: engine, sessions. Answers those that another engine has or may take, if this one does not report. An engine whose
 * lease is over and that answers other nodes still has its sessions. What Redis has forgotten counts as its own.
 */
export const FIND_LOST = `${COMMON}
local id = ARGV[1]
if isAlive(id) then return {} end
local lost = {}
for i = 2, #ARGV do
  local session = ARGV[i]
  local has = redis.call('HGET', key('session:' .. session), 'engine')
  local isLost = false
  if has then
    isLost = has ~= id or redis.call('ZSCORE', key('moving'), session)
  else
    local owner = redis.call('GET', key('owner:' .. session))
    isLost = owner and (string.match(owner, '^(.*):%d+$') ~= id or redis.call('EXISTS', key('engine:' .. id)) == 0)
  end
  if isLost then table.insert(lost, session) end
end
return lost
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
