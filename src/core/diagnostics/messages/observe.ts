import { error, failure, joinNames, type NoArguments, suggestion, warning } from '../message.ts';
import { plural } from '../words.ts';

const SHOWN_MACHINES = 3;

export const OBSERVE_MESSAGES = {
  'observe-nothing': failure<NoArguments>(
    () => 'No report is given.',
    'Name files or folders with reports, "-" for standard input, or Redfish services with --url.',
  ),
  'observe-json': error<NoArguments>(
    () => 'The report is empty, is not JSON, or has values that are nested too deeply.',
    'Collect the report again. The other reports were read.',
  ),
  'observe-format': error<{ format: string | undefined; nearest: string | undefined; known: readonly string[] }>(
    (a) =>
      a.format === undefined ? 'The report has no known format.' : `The report is not in the format "${a.format}".`,
    (a) =>
      a.nearest === undefined
        ? `Known formats: ${joinNames(a.known)}.`
        : suggestion([a.nearest], `Use --from ${a.nearest}.`),
  ),
  'observe-value': error<{ field: string; expected: string; found: string; machine?: string | undefined }>(
    (a) =>
      `"${a.field}"${a.machine === undefined ? '' : ` of machine ${a.machine}`}: expected ${a.expected}, found ${a.found}.`,
    'This machine was left out. Collect its report again.',
  ),
  'observe-host-failed': error<{ name: string; state: string }>(
    (a) => `The report has no facts of "${a.name}": ${a.state}.`,
    'Collect the facts of this machine again. The other machines were read.',
  ),
  'observe-no-machine': warning<{ name: string; state: string }>(
    (a) => `"${a.name}" was left out: in the state ${a.state}, the machine may not exist.`,
    'Observe the machine when it has started.',
  ),
  'observe-no-node': warning<{ machine: string }>(
    (a) => `No node matches the machine ${a.machine}.`,
    'Add it as a new node with --add, or correct the serial number, the MAC addresses or the name of its node.',
  ),
  'observe-no-name': error<NoArguments>(
    () => 'The new machine has no name.',
    'Save one report per file, and name the file after the machine, such as lyra-c03.json.',
  ),
  'observe-taken': error<{ name: string }>(
    (a) => `Another new machine is called "${a.name}" too, or the name is already used.`,
    'Give the machines different host names, or remove the host names and name the files of the reports after the machines.',
  ),
  'observe-uid-taken': error<{ uid: string }>(
    (a) => `The file of the report is named after the uid "${a.uid}", which another node or new machine already has.`,
    'Rename the file, and observe this report again.',
  ),
  'observe-moves': error<{ node: string; by: string; key: string; reported: string; known: string }>(
    (a) =>
      `The report matches the node "${a.node}" by its ${a.by}, but the ${a.key} of the machine is ${a.reported}, and the node has ${a.known}.`,
    'If this machine takes the place of the old one, use --accept: the node keeps its uid. Otherwise correct the node.',
  ),
  'observe-twice': error<{ node: string; other: string }>(
    (a) => `Two reports match the node "${a.node}". The other one is ${a.other}.`,
    'The other report was used. Observe the reports of two tools in two runs, remove the outdated report, or correct the serial numbers in the registry.',
  ),
  'observe-memory': warning<{ node: string; stated: string; reported: string }>(
    (a) => `"${a.node}" has main_memory.ram_size ${a.stated}, and the report says ${a.reported}.`,
    'The value stays, because the report does not contain the installed size. Check the node.',
  ),
  'observe-substitute': warning<{ machines: readonly string[]; what: string; instead: string }>(
    (a) => {
      const shown = [...a.machines.slice(0, SHOWN_MACHINES), ...(a.machines.length > SHOWN_MACHINES ? ['...'] : [])];
      return `For ${plural(a.machines.length, 'machine')} (${joinNames(shown)}), ${a.what}.`;
    },
    (a) => a.instead,
  ),
  'redfish-status': error<{ url: string; status: number }>(
    (a) => `${a.url} returned status ${a.status}.`,
    (a) =>
      a.status === 401 || a.status === 403
        ? 'Set --user, and the password in GRIDPRESS_REDFISH_PASSWORD.'
        : 'Check the URL and the service. The other machines were read.',
  ),
  'redfish-too-many': error<{ url: string; most: number }>(
    (a) => `${a.url} has more than ${a.most} resources, which is the limit.`,
    'Collect a folder with the resources of the systems, and observe it.',
  ),
  'redfish-password': failure<{ url: string | undefined }>(
    (a) => (a.url === undefined ? 'GRIDPRESS_REDFISH_PASSWORD is not set.' : `${a.url} is not encrypted.`),
    (a) => (a.url === undefined ? 'Set it to the password of --user.' : 'Use https, or omit --user.'),
  ),
} as const;
