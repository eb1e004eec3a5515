/**
 * Begins every script. All keys share the prefix that is given as KEYS[1], with one hash tag, so that all of them are in
 * one slot of a Redis Cluster. The time is that of Redis, in ms: clocks of machines differ.
 */
export const SCRIPT_HEADER = `
local prefix = KEYS[1]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function key(name) return prefix .. name end

-- Larger than every one before it. It contains the time, so it also grows when Redis has lost everything.
local function nextFence()
  local last = tonumber(redis.call('GET', key('fence')) or '0')
  local fence = string.format('%.0f', math.max(time[1] * 1000000 + time[2], last + 1))
  redis.call('SET', key('fence'), fence)
  return fence
end
`;
