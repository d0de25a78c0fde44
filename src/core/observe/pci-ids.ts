/** The names of PCI vendors and devices from a file `pci.ids` (https://pci-ids.ucw.cz). */

export interface PciNames {
  readonly vendor: (id: string) => string | undefined;
  readonly device: (vendor: string, id: string) => string | undefined;
}

const VENDOR_LINE = /^([0-9a-f]{4}) {2}(.+)$/;
const DEVICE_LINE = /^\t([0-9a-f]{4}) {2}(.+)$/;

export function readPciIds(text: string): PciNames {
  const names = new Map<string, string>();
  let vendor = '';
  for (const line of text.split(/\r?\n/)) {
    // The list of device classes follows. Device classes have the same form as vendors.
    if (line.startsWith('C ')) break;
    const [, vendorId, vendorName] = VENDOR_LINE.exec(line) ?? [];
    if (vendorId !== undefined && vendorName !== undefined) {
      vendor = vendorId;
      names.set(vendor, vendorName.trim());
    }
    const [, deviceId, deviceName] = DEVICE_LINE.exec(line) ?? [];
    if (deviceId !== undefined && deviceName !== undefined) names.set(`${vendor} ${deviceId}`, deviceName.trim());
  }
  return {
    vendor: (id) => names.get(pciId(id)),
    device: (vendorId, id) => names.get(`${pciId(vendorId)} ${pciId(id)}`),
  };
}

/** `0x8086` and `8086` are the same id. */
export function pciId(text: string): string {
  return text.toLowerCase().replace(/^0x/, '');
}
