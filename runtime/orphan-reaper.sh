# Kills processes that outlive their parent. Reads "watch PID" and "forget PID" from the parent's pipe, which ends with the
# parent however it ended. Those that say goodbye then have GRACE tenths of a second. $1: GRACE.

# When process $1 was started, in clock ticks since the boot; nothing when it is gone. A number alone may be used again.
started() {
  stat=$(cat "/proc/$1/stat" 2>/dev/null) || return
  # shellcheck disable=SC2086
  set -- ${stat##*) }
  echo "${20}"
}

watched=''
while read -r action pid; do
  kept=''
  for one in $watched; do [ "${one%:*}" = "$pid" ] || kept="$kept $one"; done
  watched=$kept
  [ "$action" = watch ] && watched="$watched $pid:$(started "$pid")"
done

tenths=0
while :; do
  left=''
  for one in $watched; do [ "$(started "${one%:*}")" = "${one#*:}" ] && left="$left ${one%:*}"; done
  [ -z "$left" ] && exit
  # shellcheck disable=SC2086
  [ "$tenths" -ge "$1" ] && exec kill -9 $left
  tenths=$((tenths + 1))
  sleep 0.1
done
