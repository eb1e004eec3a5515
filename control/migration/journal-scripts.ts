import { SCRIPT_HEADER } from '../placement/script-header.ts';

/**
 * The journals of live sessions in Redis, and who has which session:
 *
 * - `session:SESSION`: hash. `engine` that has it, `life` (the process of that engine; '': nobody has it), `fence`, number
 *   of `entries`, `state`, `at`: when it was written last, ms of Redis' own clock. `owners`: every owner so far with its
 *   fence, the last one at the end.
 * - `journal:SESSION`: stream of entries.
 * - `sessions:ENGINE`: set of the sessions that an engine has.
 * - `moving`: sorted set, session → until when somebody may take it, ms of Redis' own clock. Its hash then has `to` and
 *   `toUntil`: the engine that is to take it, and for how long; `tried`: engines that could not. A session that its engine
 *   is about to hand over has `to` and `toUntil` already.
 * - `coming:ENGINE`: set of the sessions that an engine is to take.
 *
 * Each owner of a session has a number, the fence, which is larger than those of all owners before it. What is written
 * with another one than the present is refused. As the number contains the time, it grows as well when Redis has lost
 * everything: of two that write then, the later owner wins.
 */

export const SESSIONS = `
local function own(session, engine, life, fence)
  local hash = key('session:' .. session)
  local owners = redis.call('HGET', hash, 'owners') or ''
  redis.call('HSET', hash, 'engine', engine, 'life', life, 'fence', fence,
    'owners', string.sub(owners .. fence .. ' ' .. engine .. ';', -2000))
  redis.call('SADD', key('sessions:' .. engine), session)
  redis.call('ZREM', key('moving'), session)
end

local function forgetSession(session)
  local engine = redis.call('HGET', key('session:' .. session), 'engine')
  if engine then redis.call('SREM', key('sessions:' .. engine), session) end
  redis.call('DEL', key('session:' .. session), key('journal:' .. session))
  redis.call('ZREM', key('moving'), session)
end
`;
const SESSION_COMMON = SCRIPT_HEADER + SESSIONS;

/**
 * ARGV: session, engine, life, fence ('': it has none yet), ms that it is kept, number of the first entry here, state
 * ('': unchanged), region, whether it may not leave that (1 or 0), entries. Answers how many entries are stored, and the fence; or -1 when another process has the session.
 *
 * What is here already is not stored again, so a write whose answer got lost can be repeated. Entries behind a gap are
 * not stored: the answer says where to begin.
 */
export const WRITE_JOURNAL = `${SESSION_COMMON}
local session, engine, life, fence = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local hash, stream = key('session:' .. session), key('journal:' .. session)
local from = tonumber(ARGV[6])
local known = redis.call('HMGET', hash, 'life', 'fence', 'entries')
local entries = tonumber(known[3] or '0')
local isOwner = known[1] == life and (fence == '' or fence == known[2])
if known[1] and not isOwner then
  if fence == '' or tonumber(fence) <= tonumber(known[2]) then return { -1, known[2] } end
  forgetSession(session)
  entries = 0
end
if not isOwner then
  if from > 0 then return { 0, fence } end
  if fence == '' then fence = nextFence() end
  own(session, engine, life, fence)
  redis.call('HSET', hash, 'region', ARGV[8])
else
  fence = known[2]
  -- Its engine was taken for dead, and nobody has taken the session yet.
  if redis.call('ZREM', key('moving'), session) == 1 then redis.call('SADD', key('sessions:' .. engine), session) end
end
if from > entries then return { entries, fence } end
for i = 10 + entries - from, #ARGV do
  redis.call('XADD', stream, '*', 'e', ARGV[i])
  entries = entries + 1
end
redis.call('HSET', hash, 'entries', entries, 'at', now, 'strict', ARGV[9])
if ARGV[7] ~= '' then redis.call('HSET', hash, 'state', ARGV[7]) end
redis.call('PEXPIRE', hash, ARGV[5])
redis.call('PEXPIRE', stream, ARGV[5])
return { entries, fence }
`;

/** ARGV: session, life, fence. It is over: nothing is left of it, unless another process has it. */
export const END_JOURNAL = `${SESSION_COMMON}
local known = redis.call('HMGET', key('session:' .. ARGV[1]), 'life', 'fence')
if known[1] == ARGV[2] and (ARGV[3] == '' or known[2] == ARGV[3]) then forgetSession(ARGV[1]) end
return 0
`;

/** ARGV: session, life, fence, ms. Whoever wants may take it, for so long. Answers whether its owner gave it away. */
export const GIVE_AWAY = `${SESSION_COMMON}
local session = ARGV[1]
local hash = key('session:' .. session)
local known = redis.call('HMGET', hash, 'life', 'fence', 'engine')
if known[1] ~= ARGV[2] or known[2] ~= ARGV[3] then return 0 end
redis.call('HSET', hash, 'life', '')
redis.call('SREM', key('sessions:' .. known[3]), session)
redis.call('ZADD', key('moving'), now + tonumber(ARGV[4]), session)
local to = redis.call('HGET', hash, 'to')
if to then redis.call('SADD', key('coming:' .. to), session) end
return 1
`;
