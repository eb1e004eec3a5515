import {
  ASSIGNED_MS,
  ENGINE_LEASE_MS,
  ENGINE_RENEW_EVERY_MS,
  HANDED_OVER_MS,
  MOVE_WITHIN_MS,
  PROBE_MS,
} from '../placement/lease.ts';
import { SESSIONS } from './journal-scripts.ts';
import { ENGINES } from '../placement/placement-scripts.ts';
import { SCRIPT_HEADER } from '../placement/script-header.ts';

/** How sessions come from one engine to another. The keys are in `placement-scripts.ts` and `journal-scripts.ts`. */
const MOVES = `
-- Chooses an engine for a session, for so many ms, unless one is chosen. Answers the engine if it is a new choice.
local function assign(session, waits, unwanted)
  local hash = key('session:' .. session)
  local known = redis.call('HMGET', hash, 'to', 'toUntil', 'region', 'strict', 'tried')
  if known[1] then
    if isAlive(known[1]) and tonumber(known[2]) > now then
      redis.call('SADD', key('coming:' .. known[1]), session)
      return nil
    end
    redis.call('SREM', key('coming:' .. known[1]), session)
    redis.call('HDEL', hash, 'to', 'toUntil')
  end
  local tried = unwanted
  for engine in string.gmatch(known[5] or '', '[^ ]+') do tried[engine] = true end
  local reservation = 'move ' .. session
  local to = reserveIn('room:' .. (known[3] or ''), reservation, waits, tried)
  if not to and known[4] ~= '1' then to = reserveIn('room', reservation, waits, tried) end
  if not to then return nil end
  redis.call('HSET', hash, 'to', to, 'toUntil', now + waits)
  redis.call('SADD', key('coming:' .. to), session)
  return to
end

-- Answers the addresses of engines that have something to take now. Adds to 'over' what nobody took in time.
local function assignAll(over)
  local told, addresses = {}, {}
  for _, session in ipairs(redis.call('ZRANGEBYSCORE', key('moving'), '-inf', now, 'LIMIT', 0, 100)) do
    if redis.call('EXISTS', key('session:' .. session)) == 1 then table.insert(over, session) end
    forgetSession(session)
  end
  for _, session in ipairs(redis.call('ZRANGE', key('moving'), 0, 199)) do
    if redis.call('EXISTS', key('session:' .. session)) == 0 then
      redis.call('ZREM', key('moving'), session)
    else
      local to = assign(session, ${ASSIGNED_MS}, {})
      if to and not told[to] then
        told[to] = true
        table.insert(addresses, redis.call('HGET', key('engine:' .. to), 'url'))
      end
    end
  end
  return addresses
end
`;
const COMMON = SCRIPT_HEADER + SESSIONS + ENGINES + MOVES;

/**
 * ARGV: engine. Answers engines whose lease has ended and that this one is to ask (pairs of id, fencing number, address);
 * sessions that it is to take; sessions that nobody took, which are over; addresses of engines that have something to take
 * now.
 *
 * If no engine has looked for some time, none could report: Redis was away. Then all of them have one more lease.
 */
export const LOOK = `${COMMON}
local me = ARGV[1]
local last = tonumber(redis.call('GET', key('looked')) or '0')
redis.call('SET', key('looked'), now)
if now - last > ${3 * ENGINE_RENEW_EVERY_MS} then
  for _, id in ipairs(redis.call('ZRANGE', key('engines'), 0, -1)) do
    local untilWhen = now + ${ENGINE_LEASE_MS}
    if tonumber(redis.call('ZSCORE', key('engines'), id)) < untilWhen then
      redis.call('ZADD', key('engines'), untilWhen, id)
    end
  end
end
local silent = {}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', key('engines'), '-inf', now, 'LIMIT', 0, 10)) do
  if id ~= me and redis.call('SET', key('asking:' .. id), me, 'NX', 'PX', ${PROBE_MS}) then
    local known = redis.call('HMGET', key('engine:' .. id), 'fence', 'url')
    if known[1] then
      for _, value in ipairs({ id, known[1], known[2] }) do table.insert(silent, value) end
    else
      redis.call('ZREM', key('engines'), id)
    end
  end
end
local over = {}
local addresses = assignAll(over)
return { silent, redis.call('SMEMBERS', key('coming:' .. me)), over, addresses }
`;

/**
 * ARGV: session, life of the process that has it, engines that are not wanted. Keeps a place on another engine for it, which
 * may take it when it is given away. Answers that engine and its address, or nothing.
 */
export const CHOOSE = `${COMMON}
local session = ARGV[1]
local hash = key('session:' .. session)
local known = redis.call('HMGET', hash, 'life', 'to')
if known[1] ~= ARGV[2] then return {} end
if known[2] then
  redis.call('HDEL', hash, 'to', 'toUntil')
  redis.call('SREM', key('coming:' .. known[2]), session)
  if redis.call('ZREM', key('pending:' .. known[2]), 'move ' .. session) == 1 and isAlive(known[2]) then rank(known[2]) end
end
local unwanted = {}
for i = 3, #ARGV do unwanted[ARGV[i]] = true end
local to = assign(session, ${HANDED_OVER_MS}, unwanted)
if not to then return {} end
-- Not before it is given away.
redis.call('SREM', key('coming:' .. to), session)
return { to, redis.call('HGET', key('engine:' .. to), 'url') }
`;

/** ARGV: engine, fencing number. It lives, and could not report: it has one more lease. */
export const REFUTE_SUSPICION = `${COMMON}
local id = ARGV[1]
if redis.call('HGET', key('engine:' .. id), 'fence') ~= ARGV[2] then return 0 end
redis.call('ZADD', key('engines'), now + ${ENGINE_LEASE_MS}, id)
rank(id)
return 1
`;

/**
 * ARGV: engine. Its address refused a connection. Its lease ends now; if it lives, it renews it within moments, and is
 * asked before anybody takes its sessions.
 */
export const SUSPECT = `${COMMON}
if isAlive(ARGV[1]) then redis.call('ZADD', key('engines'), now, ARGV[1]) end
return 0
`;

/**
 * ARGV: engine, fencing number. It does not live: others get its sessions. Nothing happens if it has reported meanwhile.
 * Answers the number of its sessions, addresses of engines that have something to take now, and sessions that nobody took,
 * which are over; -1 when it lives.
 */
export const DECLARE_DEAD = `${COMMON}
local id = ARGV[1]
if isAlive(id) or redis.call('HGET', key('engine:' .. id), 'fence') ~= ARGV[2] then return { -1, {}, {} } end
local sessions = redis.call('SCARD', key('sessions:' .. id))
forget(id)
local over = {}
local addresses = assignAll(over)
return { sessions, addresses, over }
`;

/**
 * ARGV: session, engine, its fencing number, life, ms that the journal is kept. The engine takes a session that may be
 * taken. Answers its fence, number of entries, state, ms since it was written last, whether it may not leave its region
 * ('1'); or nothing, when another one has it or it is over.
 */
export const TAKE_SESSION = `${COMMON}
local session, me = ARGV[1], ARGV[2]
local hash = key('session:' .. session)
redis.call('SREM', key('coming:' .. me), session)
if not redis.call('ZSCORE', key('moving'), session) then return {} end
if redis.call('HGET', key('engine:' .. me), 'fence') ~= ARGV[3] then return {} end
local known = redis.call('HMGET', hash, 'to', 'entries', 'state', 'at', 'strict')
if not known[4] then return {} end
if known[1] and known[1] ~= me then
  redis.call('SREM', key('coming:' .. known[1]), session)
  if redis.call('ZREM', key('pending:' .. known[1]), 'move ' .. session) == 1 and isAlive(known[1]) then rank(known[1]) end
end
local before = redis.call('HGET', hash, 'engine')
if before then redis.call('SREM', key('sessions:' .. before), session) end
local untilWhen = redis.call('ZSCORE', key('moving'), session)
local fence = nextFence()
own(session, me, ARGV[4], fence)
redis.call('HSET', hash, 'untilWhen', untilWhen)
redis.call('HDEL', hash, 'to', 'toUntil')
redis.call('PEXPIRE', hash, ARGV[5])
redis.call('PEXPIRE', key('journal:' .. session), ARGV[5])
redis.call('ZREM', key('pending:' .. me), 'move ' .. session)
redis.call('HINCRBY', key('engine:' .. me), 'used', 1)
rank(me)
redis.call('SET', key('owner:' .. session), me .. ':' .. ARGV[3], 'PX', 60000)
return { fence, known[2] or '0', known[3] or '', tostring(now - tonumber(known[4])), known[5] or '0' }
`;

/**
 * ARGV: session, engine, life, fence ('': whichever it has), whether the engine is unable to go on with it (1 or 0: then it
 * may have it again). Whoever wants may take it, for the rest of the time.
 */
export const PUT_BACK = `${COMMON}
local session = ARGV[1]
local hash = key('session:' .. session)
local known = redis.call('HMGET', hash, 'life', 'fence', 'tried', 'untilWhen')
if known[1] ~= ARGV[3] or (ARGV[4] ~= '' and known[2] ~= ARGV[4]) then return 0 end
redis.call('HSET', hash, 'life', '')
if ARGV[5] == '1' then redis.call('HSET', hash, 'tried', (known[3] or '') .. ' ' .. ARGV[2]) end
redis.call('SREM', key('sessions:' .. ARGV[2]), session)
redis.call('DEL', key('owner:' .. session))
redis.call('ZADD', key('moving'), known[4] or (now + ${MOVE_WITHIN_MS}), session)
return 1
`;

/**
 * ARGV: session. Answers 'live' with engine and address of who has it; 'moving'; or nothing: it is not known here.
 */
export const LOCATE_SESSION = `${COMMON}
local session = ARGV[1]
local hash = key('session:' .. session)
if redis.call('ZSCORE', key('moving'), session) then return { 'moving' } end
local engine, fence = nil, nil
local owner = redis.call('GET', key('owner:' .. session))
if owner then engine, fence = string.match(owner, '^(.*):(%d+)$') end
local kept = redis.call('HGET', hash, 'engine')
-- Redis may have lost one of both.
if kept then engine, fence = kept, nil end
if not engine then return {} end
local known = redis.call('HMGET', key('engine:' .. engine), 'fence', 'url')
local isThere = known[1] and isAlive(engine) and (not fence or fence == known[1])
if isThere then return { 'live', engine, known[2] } end
if kept then return { 'moving' } end
return {}
`;

/** ARGV: sessions. Answers those that live somewhere, or may be taken. */
export const FIND_LIVE = `${COMMON}
local going = {}
for _, session in ipairs(ARGV) do
  if redis.call('EXISTS', key('session:' .. session)) == 1 then table.insert(going, session) end
end
return going
`;
