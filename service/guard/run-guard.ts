import { openRefusingPorts } from '../../engine/transport/ice/refusing-ports.ts';
import { unwrap } from '../../control/settings/unwrap.ts';
import { openLog } from '../process/log.ts';
import { launchNode } from './launch-node.ts';
import { NodeGuard } from './node-guard.ts';
import type { RunningProcess } from '../run-service.ts';

/** Makes this process the guard of a node, which it starts. It ends with the node. */
export function runGuard(): RunningProcess {
  const log = openLog(unwrap(process.env)['PARLEY_LOG_LEVEL'] || 'info');
  const guard = new NodeGuard({
    launch: launchNode,
    refuse: (ports) => openRefusingPorts(ports, (error) => log.error({ err: error }, 'a media port reported an error')),
    log,
    over: (status) => process.exit(status),
  });
  let stopping = false;
  return {
    drain: () => guard.drain(),
    stop(_why, _status) {
      if (stopping) return guard.kill();
      stopping = true;
      guard.stop();
    },
  };
}
