/** The table of report formats. To add a format, add a file to `formats/` and a row to this table. */
import type { Format } from './format.ts';
import { ansible } from './formats/ansible.ts';
import { g5kChecks } from './formats/g5k-checks.ts';
import { ironic } from './formats/ironic.ts';
import { lshw } from './formats/lshw.ts';
import { redfish } from './formats/redfish.ts';
import { slurm } from './formats/slurm.ts';

export const FORMATS: readonly Format[] = [ironic, redfish, slurm, lshw, g5kChecks, ansible];
