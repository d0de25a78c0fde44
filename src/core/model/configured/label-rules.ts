/** The part of a configuration that says what hardware is called in labels. */
import { zod } from '../../platform/modules.ts';
import { lazily } from '../../platform/on-demand.ts';
import { LONGEST_QUANTITY } from '../notation/units.ts';

export const labelsSchema = lazily(() => {
  const z = zod();
  const texts = z.array(
    z.strictObject({
      label: z.string().regex(/\S/, 'expected a name').describe('What it is called, such as A100.'),
      match: z
        .array(z.string().regex(/\S/, 'expected a text'))
        .min(1, 'expected at least one')
        .describe('How registries spell it, in upper or lower case; * is any text.'),
    }),
  );
  const sizes = (unit: RegExp, expected: string) =>
    z.array(
      z.strictObject({
        label: z
          .string()
          .regex(unit, `expected a number with a unit, such as ${expected}`)
          .max(LONGEST_QUANTITY, `expected at most ${LONGEST_QUANTITY} characters`),
        match: z.array(z.number()).min(1, 'expected at least one').describe('The numbers that registries have for it.'),
      }),
    );
  const bytes = /^\d+(\.\d+)? ?([kMGTP]|[KMGTP]i)?B$/;
  return z.strictObject({
    gpu: texts.optional().describe('Models of GPUs.'),
    cpu: texts.optional().describe('Models of processors.'),
    ram: sizes(bytes, '192GiB').optional().describe('Sizes of main_memory.ram_size, in bytes.'),
    disk: sizes(bytes, '480GB').optional().describe('Sizes of storage_devices.size, in bytes.'),
    network: sizes(/^\d+(\.\d+)? ?[kMGT]?bps$/, '25Gbps')
      .optional()
      .describe('Rates of network_adapters.rate, in bits per second.'),
  });
});
