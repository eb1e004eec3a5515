"""
A cable with a delay: carries all packets between this network and a namespace, each DELAY_MS later.

    delay-packets.py NEAR FAR NAMESPACE NEAR_ADDRESS FAR_ADDRESS DELAY_MS

NEAR and FAR are the names of its two ends, the latter in the namespace. Prints "ready". Ends with its standard input.
"""

import collections
import fcntl
import os
import select
import struct
import subprocess
import sys
import time

TUNSETIFF = 0x400454CA
IFF_TUN = 0x0001
IFF_NO_PI = 0x1000
MAX_BYTES = 65_536


def open_end(name: str) -> int:
    end = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(end, TUNSETIFF, struct.pack("16sH", name.encode(), IFF_TUN | IFF_NO_PI))
    return end


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)


def main() -> None:
    near, far, namespace, near_address, far_address, delay_ms = sys.argv[1:]
    delay = float(delay_ms) / 1_000
    ends = [open_end(near), open_end(far)]
    ip("link", "set", far, "netns", namespace)
    ip("addr", "add", near_address, "peer", far_address, "dev", near)
    ip("link", "set", near, "up")
    ip("-n", namespace, "addr", "add", far_address, "peer", near_address, "dev", far)
    ip("-n", namespace, "link", "set", far, "up")
    ip("-n", namespace, "route", "add", "default", "dev", far)
    print("ready", flush=True)

    # What one end got is due at the other one. The delay is the same for all, so they stay in order.
    due: collections.deque[tuple[float, int, bytes]] = collections.deque()
    while True:
        wait = max(0.0, due[0][0] - time.monotonic()) if due else None
        readable, _, _ = select.select([*ends, sys.stdin], [], [], wait)
        if sys.stdin in readable:
            return
        now = time.monotonic()
        for end in readable:
            other = ends[1] if end == ends[0] else ends[0]
            while True:
                try:
                    due.append((now + delay, other, os.read(end, MAX_BYTES)))
                except BlockingIOError:
                    break
        while due and due[0][0] <= now:
            _, end, packet = due.popleft()
            try:
                os.write(end, packet)
            except OSError:
                # The queue of that end is full: a network loses packets then.
                pass


main()
