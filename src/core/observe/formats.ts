/** The table of report formats. A new format is a file in `formats/` and a row here. */
import type { Format } from './format.ts';
import { ansible } from './formats/ansible.ts';
import { g5kChecks } from './formats/g5k-checks.ts';
import { ironic } from './formats/ironic.ts';
import { lshw } from './formats/lshw.ts';
import { redfish } from './formats/redfish.ts';
import { slurm } from './formats/slurm.ts';

export const FORMATS: readonly Format[] = [ironic, redfish, slurm, lshw, g5kChecks, ansible];
